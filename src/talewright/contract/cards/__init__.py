"""The cards dialect: one JSON object with narration, choices and updates.

Nothing is applied here.
"""
