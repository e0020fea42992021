"""The engine's own words for players.

The callers decide which of them to show.
"""
