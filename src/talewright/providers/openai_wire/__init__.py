"""The OpenAI wire: one adapter for the many servers that speak chat completions; a profile tells them apart.

Nothing here knows a game, and httpx is imported nowhere else.
"""
