"""The cache: compiled games written down as JSON and read again without their folder.

Nothing is compiled here.
"""
