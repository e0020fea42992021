"""The terminal interface, built on Textual: the lobby, the game table and the history screens.

It uses `play` only. Every string from there is sanitised before it is drawn.
"""
