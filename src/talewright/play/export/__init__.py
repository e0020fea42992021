"""Campaigns carried out of the engine and back in: save games, and stories to read.

The secret of chance and hidden texts stand in none of them.
"""
