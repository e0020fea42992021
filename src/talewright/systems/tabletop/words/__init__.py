"""Words: what the tabletop says to players and narrators, one file for each language.

Names of attributes, skills and creatures come from the rulebook; everything else is here.
"""
