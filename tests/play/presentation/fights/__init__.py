"""Tests of `play/presentation/fights`."""
