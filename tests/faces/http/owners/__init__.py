"""Owners on a host."""
