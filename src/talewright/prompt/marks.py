"""Marks: the words in brackets under which the parts of a message stand, kept out of what others wrote.

A player who types `[RESULTS]` says it in parentheses: no input can pass itself off as a part of the prompt.
"""

import re

_MARK = re.compile(r"\[([A-Z][A-Z _]*)\]")


def unmark(text: str) -> str:
    """A text in which nothing looks like a mark of ours."""
    return _MARK.sub(r"(\1)", text)
