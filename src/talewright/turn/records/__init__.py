"""What is kept of a turn: bodies of commits, attempts and their cost, prompts made anew from them.

Where records are kept is the store's business.
"""
