"""Providers for Anthropic and Google through pydantic-ai's Model interface, each with its own extra.

Nothing outside this package imports pydantic-ai, and nothing in it retries: wrappers do.
"""
