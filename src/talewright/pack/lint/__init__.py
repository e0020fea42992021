"""Lint: finds things in a game that can never happen, without playing it.

Findings are warnings and never stop a game. What cannot be decided is not reported.
"""
