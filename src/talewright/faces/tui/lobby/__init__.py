"""The lobby: games to begin, campaigns to go on with, and what else can be done with them.

It plays nothing; a session that was opened is handed to the app.
"""
