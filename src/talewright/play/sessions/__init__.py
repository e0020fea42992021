"""The Lobby and Session on a Store: open campaigns, their turns and their watchers.

One process on one machine uses them, and so do the nodes of a host. No network and no screen here.
"""
