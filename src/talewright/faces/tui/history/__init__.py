"""Screens of a campaign's history: a card's changes, the tree, two branches, one turn inspected.

They only look; where the player wants to go is handed back as a value.
"""
