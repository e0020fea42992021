"""The game table: the screen on which one campaign is played, and the widgets on it.

Each widget is given values and posts messages; only the screen knows the session.
"""
