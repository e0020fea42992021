"""Letter folding: reduces a text to the letters and digits that matter when comparing it.

Case and accents are removed, and look-alikes become one letter. Blanks, punctuation, emphasis marks and
invisible characters are dropped. The comparison itself happens elsewhere.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from talewright.common.confusables_table import LOOK_ALIKES

SIGNS_KEPT_MAX = 20_000
"""Characters whose folded form is cached."""

LETTER_WEIGHT = 2
IDEOGRAPH_WEIGHT = 5
"""The weight of a Chinese character, which says more than a letter: 20 letters weigh as much as 8 of them."""

_ALIKE = {"l": "i", "1": "i", "0": "o", "m": "rn"}
"""Look-alikes within lower-case ASCII; a capital I looks like a small l."""


class _FoldTable(dict[int, str]):
    """The folded form of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        if len(self) < SIGNS_KEPT_MAX:
            self[code] = folded
        return folded


_TABLE = _FoldTable()


def fold(text: str) -> str:
    """The folded letters of a text. Folding piece by piece gives the same result as folding the whole."""
    return text.translate(_TABLE)


def fold_signs(text: str) -> list[str]:
    """The folded form of each character: often empty, sometimes several letters."""
    return [_TABLE[code] for code in map(ord, text)]


def _fold(sign: str) -> str:
    return "".join(map(_fold_letter, unicodedata.normalize("NFKD", sign)))


def _fold_letter(letter: str) -> str:
    read = LOOK_ALIKES.get(letter)
    if read is None:
        small = letter.casefold()
        read = LOOK_ALIKES.get(small, small)
    return "".join(_ALIKE.get(one, one) for one in read if one.isalnum())


def weigh_letters(letters: str) -> int:
    """The weight of folded letters."""
    if letters.isascii():
        return len(letters) * LETTER_WEIGHT
    return sum(map(_weigh, letters))


def _weigh(letter: str) -> int:
    if letter < "\u3400" or "\u9fff" < letter < "\uf900" or "\ufaff" < letter < "\U00020000":
        return LETTER_WEIGHT
    return IDEOGRAPH_WEIGHT


def find_end(letters: str, start: int, weight: int) -> int:
    """The end of the shortest stretch with at least this weight; past the end if there is none."""
    end = start + -(-weight // LETTER_WEIGHT)
    row = letters[start:end]
    if row.isascii():
        return min(end, len(letters) + 1)
    for at, letter in enumerate(row, start):
        weight -= _weigh(letter)
        if weight <= 0:
            return at + 1
    return len(letters) + 1


def cut_stretches(letters: str, weight: int) -> Iterator[tuple[int, int]]:
    """For every start, the shortest stretch with at least this weight, as (start, end)."""
    if letters.isascii():
        length = -(-weight // LETTER_WEIGHT)
        yield from ((start, start + length) for start in range(len(letters) - length + 1))
        return
    weights = [0, *accumulate(map(_weigh, letters))]
    end = 0
    for start in range(len(letters)):
        end = bisect_left(weights, weights[start] + weight, end)
        if end > len(letters):
            return
        yield start, end
