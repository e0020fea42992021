"""Chaos runs: a whole host of real processes, many players, and everything that can be killed is."""
