"""Owners: the people that campaigns on a host belong to, with their tokens and budgets.

Accounts with names and passwords come later.
"""
