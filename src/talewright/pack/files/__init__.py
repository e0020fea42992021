"""Reads the files of a game folder within limits, and parses YAML with the place of every value.

Nothing here knows what a game is.
"""
