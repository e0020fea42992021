"""Moves: what each tool of the world does."""
