"""Builds the values that the kernel runs on from an author's records.

No file is opened here.
"""
