"""Scenarios: worlds as JSON files that other programs read and write too."""
