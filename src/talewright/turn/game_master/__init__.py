"""Turns narrated by an external game master: the open turn as stored data, its rounds, and the brief.

An outside game master has no more authority than a model.
"""
