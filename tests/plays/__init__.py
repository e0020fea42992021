"""Plays: inputs, scripted replies and what must come of them, each run in several ways."""
