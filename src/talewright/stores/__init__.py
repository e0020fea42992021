"""Stores: plug-ins that save campaigns, for the port in `chronicle/store.py`.

A store saves JSON and bytes. It does not know states, games or turns.
"""
