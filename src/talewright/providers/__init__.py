"""Plugs on `llm/provider.py`: whoever answers a request.

Never a game word.
"""
