"""Tests of `talewright.hosting.operations`."""
