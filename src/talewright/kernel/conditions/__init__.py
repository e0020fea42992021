"""Conditions: the language of conditions, from an author's text to a function evaluated on a state.

Also contains the static analysis of conditions.
"""
