"""Compiled games kept: written down as JSON and read again without their folder.

Nothing is compiled here.
"""
