"""Tests of `systems/spiral/memory`."""
