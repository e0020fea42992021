"""Providers: implementations of `llm/provider.py` that talk to model servers.

Nothing here depends on games.
"""
