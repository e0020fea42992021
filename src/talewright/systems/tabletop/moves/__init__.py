"""Moves: what the tools of the tabletop do, one file for each subject.

Every move works on a draft; what has changed there becomes the updates that are granted.
"""
