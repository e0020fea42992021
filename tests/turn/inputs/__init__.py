"""Tests of `turn/inputs`."""
