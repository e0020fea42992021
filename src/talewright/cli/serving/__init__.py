"""Commands that serve games to other programs until they are stopped.

`bootstrap` runs the servers.
"""
