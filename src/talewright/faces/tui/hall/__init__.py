"""The hall: what the screens around the table share: boxes that ask, the key bar, the port to the app.

It belongs to no screen, and knows none.
"""
