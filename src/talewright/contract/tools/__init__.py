"""The tools dialect: tool calls, and a text with the narration.

Nothing is judged here.
"""
