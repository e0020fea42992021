"""Tests of the files in `deploy/`."""
