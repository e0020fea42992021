"""A Lobby in this process: one store, its sessions, and what their watchers hear.

No network and no screen here.
"""
