"""Tests of `testing/fake_provider/wires`."""
