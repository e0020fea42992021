"""Lore: which entries are added to a turn's prompt, by keys, patterns and conditions.

It never uses a game's dice.
"""
