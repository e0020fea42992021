"""Tests of `bootstrap/serving`."""
