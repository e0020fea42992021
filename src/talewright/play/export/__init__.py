"""Campaigns carried out of the engine and back in: save games, plain or whole, and stories to read.

The secret of chance stands in none of them, and hidden texts in no story.
"""
