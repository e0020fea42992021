"""Tests of `turn/memory`."""
