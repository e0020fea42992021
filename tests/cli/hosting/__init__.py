"""Tests of `talewright.cli.hosting`."""
