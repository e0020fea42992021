"""Tests of what every server uses."""
