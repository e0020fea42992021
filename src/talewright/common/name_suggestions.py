"""Name suggestions: the right name that a wrong one was probably meant to be ("did you mean").

It only compares names. It never decides whether one is allowed.
"""

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

NAMES_COMPARED_MAX = 500
"""Names looked at for one suggestion, so that a mistake in a large game is still told at once."""

NAME_LENGTH_MAX = 100
"""Characters of a name that are compared; nobody mistypes a longer one."""

SHORT_NAME_MAX = 3
"""Characters of a name so short that half of it may be wrong."""

NAMES_LISTED_MAX = 12
"""Names that a message lists."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The closest known name, with case and width of letters set aside; empty where none is close."""
    plain: dict[str, str] = {}
    for name in islice(known, NAMES_COMPARED_MAX):
        plain.setdefault(_plain(name), name)
    # Half of a very short word, such as one of two Chinese characters, is as much as can be right.
    cutoff = 0.5 if len(word) <= SHORT_NAME_MAX else 0.6
    close = get_close_matches(_plain(word), plain, n=1, cutoff=cutoff)
    return plain[close[0]] if close else ""


def listed(names: Iterable[str]) -> str:
    """Names in a row, as many as one can read."""
    shown = list(islice(names, NAMES_LISTED_MAX + 1))
    return ", ".join(shown[:NAMES_LISTED_MAX]) + (", ..." if len(shown) > NAMES_LISTED_MAX else "")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name[:NAME_LENGTH_MAX]).casefold()
