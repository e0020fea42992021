"""Game words into model words: the frozen part, the transcript, the tail, and their assembly.

Pure: the same inputs give the same bytes, and nothing is called.
"""
