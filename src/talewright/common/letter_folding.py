"""Letter folding: what is left of a text for a reader who overlooks how it is set.

Letters and digits alone count, without capitals and accents, and look-alikes are one letter. Blanks,
punctuation, marks of emphasis and characters that are not seen are nothing. It compares nothing.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from talewright.common.confusables_table import LOOK_ALIKES

SIGNS_KEPT_MAX = 20_000
"""Characters of which is kept what they are folded to."""

LETTER_WEIGHT = 2
IDEOGRAPH_WEIGHT = 5
"""What a letter weighs, and a Chinese character, which says more: 20 of the one are 8 of the other."""

_ALIKE = {"l": "i", "1": "i", "0": "o", "m": "rn"}
"""Of ASCII, once capitals are gone: a capital I is a small l."""


class _FoldTable(dict[int, str]):
    """What characters are folded to, found when it is first asked for."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        if len(self) < SIGNS_KEPT_MAX:
            self[code] = folded
        return folded


_TABLE = _FoldTable()


def fold(text: str) -> str:
    """What counts of a text. Pieces folded one by one are the whole folded at once."""
    return text.translate(_TABLE)


def fold_signs(text: str) -> list[str]:
    """What counts of every character of a text; often nothing, sometimes several letters."""
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
    """Where the shortest stretch ends that weighs at least so much; behind the end where there is none."""
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
    """From every place the shortest stretch that weighs at least so much, as its beginning and its end."""
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
