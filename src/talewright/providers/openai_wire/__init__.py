"""The OpenAI wire: one provider for all chat completions servers; profiles describe the differences.

Nothing here depends on games, and httpx is imported nowhere else.
"""
