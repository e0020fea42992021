"""Common: helpers shared by several rooms: language tags, safe text, JSON Schema, suggestions.

Nothing here depends on a game, a model or a store.
"""
