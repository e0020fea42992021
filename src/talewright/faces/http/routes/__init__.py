"""The routes of the API, one file for each noun.

A route checks what it is given and calls a port; it contains no rules of its own.
"""
