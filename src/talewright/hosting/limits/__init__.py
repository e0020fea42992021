"""Limits across all nodes of a host: requests to a model, and what owners may spend.

Each limit wraps a provider; turns do not know about them.
"""
