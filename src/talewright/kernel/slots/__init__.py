"""Slots: the typed places of a state, and whether a value fits into one.

No value of a running game is kept here.
"""
