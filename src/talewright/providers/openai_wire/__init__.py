"""The OpenAI wire: one provider for all servers that speak chat completions; profiles tell them apart.

Nothing here knows a game, and httpx is imported nowhere else.
"""
