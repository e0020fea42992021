"""Tests of `play/export`."""
