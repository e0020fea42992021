"""Judging: turns moves into rulings and changes.

It knows nothing of models or turns; the same rules apply whoever proposes a move.
"""
