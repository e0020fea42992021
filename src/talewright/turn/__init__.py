"""The road: one input of a player to one commit of the story, step by step.

No rule of any game stands here.
"""
