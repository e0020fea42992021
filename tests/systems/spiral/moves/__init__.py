"""Tests of `systems/spiral/moves`."""
