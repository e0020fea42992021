"""Generators of files in this repository: code that is shipped, and lists in the documentation."""
