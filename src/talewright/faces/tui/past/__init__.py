"""The screens that look back: a card's history, the tree of the campaign, two branches, one turn.

They only look; what the player wishes for is handed back as a value.
"""
