"""Tests of `faces/http/guards`."""
