"""Tests of `play/sessions`."""
