"""Tests: a mirror of the source, one file a module, with the house test and the sweeps beside it."""
