"""Words: everything this system says to narrators and players, in each supported language.

Tags, names and oracle words belong to the game and are not here.
"""
