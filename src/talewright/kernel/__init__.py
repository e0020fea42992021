"""The kernel: what a game is, and how its rules judge a proposed move.

No I/O, no clock, no async, no `random`, and no knowledge of models or files.
"""
