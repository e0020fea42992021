"""Tests of `turn/records`."""
