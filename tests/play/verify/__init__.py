"""Tests of `play/verify`."""
