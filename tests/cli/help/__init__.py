"""Tests of `cli/help`."""
