"""The texts of a game, by key, in every language it offers.

No rules are read here.
"""
