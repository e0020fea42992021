"""Limits that hold across all nodes of a host: requests to a model, and what owners may spend.

Each wraps a provider from outside; a turn does not know of them.
"""
