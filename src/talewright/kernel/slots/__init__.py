"""Slots: the typed places of a state, and whether a value fits one.

They hold no values of a running game.
"""
