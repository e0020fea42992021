"""Records of a turn: commit bodies, attempts and their cost, and prompts rebuilt from them.

Storing them is the store's job.
"""
