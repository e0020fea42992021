"""Tests of `bootstrap/games`."""
