"""The language of conditions: from an author's text to a function that a state answers.

What can be said of a condition before any game is played stands here too.
"""
