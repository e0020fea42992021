"""The tools dialect: calls of tools, and a text that tells.

Nothing is judged here.
"""
