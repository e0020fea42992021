"""The files of a game folder: bytes read within bounds, and YAML with the place of every value.

Nothing here knows what a game is.
"""
