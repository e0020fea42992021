"""Scenarios: worlds as JSON files."""
