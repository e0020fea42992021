"""History screens: the changes of a card, the tree of turns, two branches compared, one turn inspected.

They are read-only; where the player wants to go is returned as a value.
"""
