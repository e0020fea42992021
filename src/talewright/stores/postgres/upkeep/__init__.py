"""Upkeep of a host's databases: their sealing keys, the rights of their roles, and what an operator deletes.

No turn passes here.
"""
