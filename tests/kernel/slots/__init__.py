"""Tests of `kernel/slots`."""
