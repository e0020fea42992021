"""Tests of `bootstrap/reports`."""
