"""The turn: from one player input to one commit, step by step.

It contains no rules of any game.
"""
