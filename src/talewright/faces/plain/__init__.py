"""The plain face: a game as text, for a bare terminal, a pipe or a screen reader.

No boxes, no colours, no moving of the cursor, and no command repeated back.
"""
