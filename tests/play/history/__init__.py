"""Tests of `play/history`."""
