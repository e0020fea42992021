"""Tests of the lobby's pages: campaigns, imports, costs and models."""
