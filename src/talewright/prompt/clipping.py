"""Clipping: a text made to fit by ending it sooner, at the end of a paragraph, a sentence or a word.

What is left is the beginning of the text, never a rewording.
"""

import re

from talewright.llm.tokens import estimate_tokens

_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?])\s|(?<=[。！？；])"), re.compile(r"\s|(?<=[，、])"))
"""Where a text may end, the best place first."""

ENOUGH = 0.6
"""A better place to end is taken as long as this share of what would fit stays."""

MORE = "..."


def clip(text: str, tokens_max: int) -> str:
    """The text, or as much of its beginning as fits."""
    if estimate_tokens(text) <= tokens_max:
        return text
    length = _longest(text, tokens_max - estimate_tokens(MORE))
    for ends in _ENDS:
        places = [found.start() for found in ends.finditer(text, 0, length + 1) if found.start() <= length]
        if places and places[-1] >= length * ENOUGH:
            length = places[-1]
            break
    kept = text[:length].rstrip()
    return kept + MORE if kept else ""


def _longest(text: str, tokens_max: int) -> int:
    """How many characters fit."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens_max:
            low = middle
        else:
            high = middle - 1
    return low


_SENTENCE = re.compile(r".+?(?:[.!?…](?=\s|$)|[。！？…]+[”」』）)]*|$)", re.DOTALL)


def first_sentence(text: str, length_max: int) -> str:
    """The first sentence of a text on one line, no longer than that."""
    line = " ".join(text.split())
    found = _SENTENCE.match(line)
    sentence = found.group() if found else ""
    return sentence if len(sentence) <= length_max else sentence[: length_max - len(MORE)].rstrip() + MORE
