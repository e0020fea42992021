"""Tests of `turn/steps`."""
