"""The plain interface: a game as text, for a simple terminal, a pipe or a screen reader.

No boxes, no colours, no cursor movement, and commands are not echoed.
"""
