"""The PostgreSQL store: the campaigns of many owners, on one database or many, sealed at rest.

It is for hosts. A player's own machine needs none of it.
"""
