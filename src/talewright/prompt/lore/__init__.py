"""Lore: which pieces of it come up in a turn, by keys, patterns and conditions.

No die of a game is touched here.
"""
