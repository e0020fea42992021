"""The engine's own words for players, one file for each language.

The callers decide which of them to show.
"""
