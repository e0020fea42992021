"""Player inputs: what a player can do in a turn, and its effects before the narration.

No model is called here.
"""
