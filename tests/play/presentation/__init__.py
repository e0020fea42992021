"""Tests of `play/presentation`."""
