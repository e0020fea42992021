"""Folder: one campaign is one folder that a person can read; the chronicle in it is the only truth.

Everything else in the folder can be made again from the chronicle, or says that it cannot.
"""
