"""Tests of the MCP face, with the official client."""
