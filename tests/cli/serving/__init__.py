"""Tests of `cli/serving`."""
