"""Name suggestions: the known name closest to a misspelled one ("did you mean").

It only compares names; it never decides whether one is allowed.
"""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

NAMES_COMPARED_MAX = 500
"""Names compared for one suggestion, so that errors in a large game are still reported instantly."""

NAME_LENGTH_MAX = 100
"""Characters of a name that are compared; longer names are not typed by hand."""

SHORT_NAME_MAX = 3
"""Length up to which half of a name may be wrong."""

NAMES_LISTED_MAX = 12
"""Names listed in a message."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The closest known name, ignoring case and letter width; empty if none is close."""
    plain: dict[str, str] = {}
    for name in islice(known, NAMES_COMPARED_MAX):
        plain.setdefault(_plain(name), name)
    # In a very short word, such as two Chinese characters, at most half can be right.
    cutoff = 0.5 if len(word) <= SHORT_NAME_MAX else 0.6
    close = get_close_matches(_plain(word), plain, n=1, cutoff=cutoff)
    return plain[close[0]] if close else ""


def listed(names: Iterable[str]) -> str:
    """Names as a comma-separated list of readable length."""
    shown = list(islice(names, NAMES_LISTED_MAX + 1))
    return ", ".join(shown[:NAMES_LISTED_MAX]) + (", ..." if len(shown) > NAMES_LISTED_MAX else "")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name[:NAME_LENGTH_MAX]).casefold()
