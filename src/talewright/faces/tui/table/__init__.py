"""The game table: the screen on which a campaign is played, and its widgets.

Each widget is given values and posts messages; only the screen knows the session.
"""
