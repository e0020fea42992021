"""Limits across all nodes of a host: requests to a model, what owners may spend, and what they may ask for.

Turns do not know about them: each limit wraps a provider, or is asked by the API.
"""
