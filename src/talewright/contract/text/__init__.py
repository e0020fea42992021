"""Texts of a model: JSON parsed strictly, words cleaned, secrets held back.

It depends on no dialect.
"""
