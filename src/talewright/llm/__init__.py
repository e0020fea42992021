"""What a language model is: messages, requests, chunks of replies, usage, profiles, the Provider port.

No word of games stands here.
"""
