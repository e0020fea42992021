"""The texts of a game: every text under its key, in every language on offer.

No rule is read here.
"""
