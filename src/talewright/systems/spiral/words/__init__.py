"""Words: everything this system says to storytellers and players, in each language it speaks.

Tags, names and oracle words are the game's own; they never stand here.
"""
