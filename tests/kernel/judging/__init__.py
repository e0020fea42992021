"""Tests of `kernel/judging`."""
