"""The Lobby and Session of one machine: one store, its sessions, and what their watchers hear.

No network and no screen here.
"""
