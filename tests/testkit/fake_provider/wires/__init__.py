"""Tests of `fake_provider/wires` of the testkit."""
