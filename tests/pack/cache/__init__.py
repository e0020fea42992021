"""Tests of `pack/cache`."""
