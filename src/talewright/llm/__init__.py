"""Language models: messages, requests, chunks of replies, usage, profiles, the Provider port.

Nothing here depends on games.
"""
