"""Lint: whether what an author wrote can come to pass, found out without playing.

Nothing here stops a game: what is found is a warning, and what cannot be decided is not told.
"""
