"""Tests of `kernel/conditions`."""
