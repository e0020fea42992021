"""Tests of `pack/build`."""
