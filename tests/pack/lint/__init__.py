"""Tests of `pack/lint`."""
