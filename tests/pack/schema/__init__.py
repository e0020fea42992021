"""Tests of `pack/schema`."""
