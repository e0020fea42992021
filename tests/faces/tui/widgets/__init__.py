"""Tests of `faces/tui/widgets`."""
