"""Tests of `pack/texts`."""
