"""Compiles a game folder into a Game and its texts, and reports every fault with file, line and column.

It refers to no system by name. A running game never reads the author's files through it.
"""
