"""Offline: the installable app, and the copies of stories that a browser keeps for reading.

It holds what the player has read, and nothing else.
"""
