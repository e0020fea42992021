"""Tests of `play/local`."""
