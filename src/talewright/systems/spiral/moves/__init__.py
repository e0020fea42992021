"""Moves: what each tool of the spiral does to the state, tool by tool.

Updates are returned, never applied. The tool schemas are in `tool_descriptions.py`, the roll in `checks.py`.
"""
