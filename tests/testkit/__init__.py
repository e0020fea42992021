"""Tests of `talewright_testkit`."""
