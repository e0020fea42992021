"""The outlook: what can be said of a condition before any game is played.

It knows ranges, never a running game.
"""
