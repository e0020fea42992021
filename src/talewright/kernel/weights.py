"""Weights: how much a text says, whatever script it is written in.

A Chinese character says what two letters or more say elsewhere. It measures; nothing is refused here.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

WIDE_WEIGHT = 2
"""What a wide character weighs; every other one weighs 1."""

_WIDE = frozenset({"W", "F"})
"""Widths of East Asian characters that take two columns."""


def weigh_sign(sign: str) -> int:
    """The weight of one character."""
    return WIDE_WEIGHT if unicodedata.east_asian_width(sign) in _WIDE else 1


def weigh(text: str) -> int:
    """The weight of a text: its characters, of which those of Chinese count twice."""
    return len(text) if text.isascii() else sum(map(weigh_sign, text))


def find_stretches(text: str, weight: int) -> Iterator[tuple[int, int]]:
    """From every place the shortest stretch that weighs at least so much, as its beginning and its end."""
    weights = [0, *accumulate(map(weigh_sign, text))]
    end = 0
    for start in range(len(text)):
        end = bisect_left(weights, weights[start] + weight, end)
        if end > len(text):
            return
        yield start, end
