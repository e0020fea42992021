"""Tests of the host, with real PostgreSQL and Redis."""
