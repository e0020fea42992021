"""Common: what several rooms need, on the ground floor: language tags, safe text, JSON Schema, suggestions.

Nothing here knows a game, a model or a store.
"""
