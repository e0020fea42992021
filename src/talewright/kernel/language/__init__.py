"""The language of conditions: from an author's text to a function that a state answers.

Nothing here changes a state.
"""
