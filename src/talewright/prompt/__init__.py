"""Prompt: builds prompts from the frozen part, the transcript and the tail.

Pure: the same inputs give the same bytes, and nothing is called.
"""
