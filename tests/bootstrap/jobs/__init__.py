"""Tests of `bootstrap/jobs`."""
