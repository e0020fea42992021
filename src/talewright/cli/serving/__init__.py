"""Commands that serve games to browsers and other programs until you stop them.

`bootstrap` runs the servers.
"""
