"""Providers over pydantic-ai's Model interface: Anthropic and Google, each with its own extra.

Nothing outside this package imports pydantic-ai, and nothing in it asks twice: retries are for wrappers.
"""
