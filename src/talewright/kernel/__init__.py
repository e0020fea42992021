"""The kernel: what a game is, and what its rules make of a proposed move.

No I/O, no clock, no async, no `random`, and no word of models or files.
"""
