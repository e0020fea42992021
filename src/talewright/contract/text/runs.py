"""Runs: the stretches of hidden texts that must not be repeated, made comparable to what a model writes.

Capitals, blanks, accents, marks of emphasis and invisible characters make no difference: whoever quotes a
text may set it otherwise. Nothing is cut or judged here.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from talewright.contract.text.plain_text import strip_controls

RUN_LENGTH = 40
"""Characters of a hidden text that must not be repeated in one run."""

RUN_LETTERS_MIN = 8
"""Characters that must be left of a run once it is folded: forty blanks or dots tell nothing."""

RUNS_KEPT_MAX = 16
"""Groups of texts whose runs are kept ready: those of the editions that are being played."""

SIGNS_KEPT_MAX = 20_000
"""Characters of which is kept what they are folded to."""

_ALIKE = {**dict.fromkeys("‘’‚‛ʼ`´", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
"""Signs that are set one way by one writer and another by the next."""

_EMPHASIS = frozenset("*_~")
_PASSED_OVER = frozenset({"Cc", "Cf", "Cs", "Mn", "Me"})
"""Categories of characters that are not seen, or only on another one."""


@lru_cache(SIGNS_KEPT_MAX)
def fold(sign: str) -> str:
    """What counts of one character; often nothing, sometimes several.

    Character by character: pieces folded one by one are the whole folded at once.
    """
    spelled = unicodedata.normalize("NFKD", _ALIKE.get(sign, sign)).casefold()
    return "".join(letter for letter in spelled if _counts(letter))


def fold_text(text: str) -> str:
    """What counts of a text."""
    return "".join(map(fold, text))


def _counts(letter: str) -> bool:
    if letter.isspace() or letter in _EMPHASIS:
        return False
    return unicodedata.category(letter) not in _PASSED_OVER


class Runs:
    """Every run of some texts, folded."""

    def __init__(self, texts: Iterable[str], before: "Runs | None" = None) -> None:
        """`before` are runs that hold as well."""
        self._known: frozenset[str] = frozenset() if before is None else before._known
        self._ordered: list[str] = [] if before is None else before._ordered
        """In order, so that whether a text begins one of them is a binary search."""

        self._lengths: list[int] = [] if before is None else before._lengths
        found = {run for text in texts for run in _cut_runs(strip_controls(text))}
        if found:
            self._known |= found
            # Two lists that are in order are merged quickly.
            self._ordered = sorted([*self._ordered, *sorted(found)])
            self._lengths = sorted({*self._lengths, *map(len, found)})
        self.shortest = self._lengths[0] if self._lengths else 0
        """Letters of the shortest run; 0 where there is none."""

    def begin_like(self, letters: str) -> bool:
        """Whether some run begins with these letters."""
        at = bisect_left(self._ordered, letters)
        return at < len(self._ordered) and self._ordered[at].startswith(letters)

    def end(self, letters: str) -> list[str]:
        """The runs that these letters end with."""
        count = len(letters)
        ends = (letters[count - length :] for length in self._lengths if length <= count)
        return [run for run in ends if run in self._known]


@lru_cache(RUNS_KEPT_MAX)
def keep_runs(texts: tuple[str, ...]) -> Runs:
    """The runs of texts that stay the same from turn to turn, made once."""
    return Runs(texts)


def _cut_runs(text: str) -> Iterable[str]:
    """Each run is forty characters as the text has them; folded, the fewer the more of them are blank."""
    parts = [fold(sign) for sign in text]
    starts = [0, *accumulate(map(len, parts))]
    letters = "".join(parts)
    for at in range(len(parts) - RUN_LENGTH + 1):
        run = letters[starts[at] : starts[at + RUN_LENGTH]]
        if len(run) >= RUN_LETTERS_MIN:
            yield run
