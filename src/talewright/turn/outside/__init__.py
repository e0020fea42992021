"""Turns told by a game master outside: the open turn as stored data, its rounds, and the brief.

Whoever tells from outside has no more authority than a model.
"""
