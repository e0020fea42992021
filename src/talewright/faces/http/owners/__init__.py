"""Owners on a host: whose request it is, the services of each owner, and the login with a token.

A server for one person has none of this.
"""
