"""Moves: what each tool of the spiral does to the state, tool by tool.

Updates are returned, never applied. The tool schemas are in `tools.py`, the roll is in `checks.py`.
"""
