"""The build: what an author wrote in records, into the values that the kernel runs on.

No file is opened here.
"""
