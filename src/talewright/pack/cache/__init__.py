"""The cache: compiled games stored as JSON, to be loaded without their folder.

Nothing is compiled here.
"""
