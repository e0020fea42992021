"""Moves: what each tool of the spiral does to the state, tool by tool.

Updates are returned, never applied. The forms of the tools stand in `tools.py`, the roll in `checks.py`.
"""
