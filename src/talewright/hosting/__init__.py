"""Hosting: the same engine for many players, on PostgreSQL, DBOS and Redis.

It contains no game rules, and is never imported on a player's own machine.
"""
