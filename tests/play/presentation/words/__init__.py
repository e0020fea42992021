"""Tests of `play/presentation/words`."""
