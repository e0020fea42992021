"""Owners on a host: whose request it is, each owner's services, and login with a token.

A server for one person has none of this.
"""
