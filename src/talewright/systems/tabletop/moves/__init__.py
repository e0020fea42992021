"""Moves: what the tools of the tabletop do, one file for each subject.

Every move works on a draft; the changes in it become the granted updates.
"""
