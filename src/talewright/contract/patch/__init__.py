"""The patch dialect: prose, then one fenced JSON Patch between two versions.

Nothing is applied here.
"""
