"""Tests of `kernel/state`."""
