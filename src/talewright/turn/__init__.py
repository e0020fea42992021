"""The road: one input to one commit, with its plans and limits.

It holds no rule of any game.
"""
