"""Lore: which pieces of knowledge come up in a turn, and why.

Pure: it reads the newest words and the state, and never the campaign as a whole.
"""
