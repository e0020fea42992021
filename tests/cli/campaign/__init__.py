"""Tests of `cli/campaign`."""
