"""Tests of `faces/tui/history`."""
