"""The engine's own words for players, a file for each language.

The callers decide which words to use.
"""
