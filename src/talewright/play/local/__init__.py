"""The local Lobby and Session: one store on one machine, its sessions and their watchers.

No network and no screen here.
"""
