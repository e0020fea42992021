"""Sentences: finds the end of the last whole sentence in a narration that was cut off by its length.

It looks at punctuation only, in English and Chinese. It never changes a word.
"""

import re

_CLOSERS = "\"'”’」』）)】》*_"

_SENTENCE_END = re.compile(
    rf"""(?:
        (?<!\d)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)[.!?…]+[{_CLOSERS}]*(?=\s|\Z)
        |[。！？…]+[{_CLOSERS}]*
    )""",
    re.VERBOSE,
)
"""Not after a digit: `3.` begins the next item of a list, or a number."""

_PAIRS = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"), ("(", ")"))
_TOGGLES = ('"', "**")

KEPT_SHARE_MIN = 0.5
"""The share of a narration that must be whole sentences for it to be used without the rest."""


def keep_whole_sentences(text: str) -> str:
    """A narration up to the end of its last whole sentence; empty if too little of it would be left.

    An end outside of quotations is preferred, so that no quotation stays open.
    """
    least = len(text) * KEPT_SHARE_MIN
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.end() >= least]
    if not ends:
        return ""
    closed = next((end for end in reversed(ends) if _is_closed(text[:end])), ends[-1])
    return text[:closed]


def _is_closed(text: str) -> bool:
    """Whether every quotation and every emphasis in it is closed."""
    paired = all(text.count(first) == text.count(last) for first, last in _PAIRS)
    return paired and all(text.count(sign) % 2 == 0 for sign in _TOGGLES)
