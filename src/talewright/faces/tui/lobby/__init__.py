"""The lobby: start games, continue campaigns, and manage them.

Nothing is played here; the app takes over the sessions that the lobby opens.
"""
