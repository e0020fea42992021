"""Tests of `kernel/story`."""
