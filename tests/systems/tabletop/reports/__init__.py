"""Tests of `systems/tabletop/reports`."""
