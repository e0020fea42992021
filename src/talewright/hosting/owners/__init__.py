"""Owners: who campaigns of a host belong to, the tokens they come with, and what they may spend.

Accounts with names and passwords come later.
"""
