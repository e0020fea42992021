"""Tests of the remote lobby."""
