"""Letter folding: reduces a text to the letters and digits that matter when comparing it.

Case and accents are removed, and look-alikes become one letter. Blanks, punctuation, emphasis marks and
invisible characters are dropped; so is markup that is not visible once it is rendered, such as tags, link
targets and list numbers. A masked text, with digits and symbols for letters, or letters of other scripts
between its own, can be unmasked. The comparison itself happens elsewhere.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate
from types import MappingProxyType

from talewright.common.confusables_table import LOOK_ALIKES
from talewright.common.frozen_values import frozen

SIGNS_KEPT_MAX = 20_000
"""Characters whose folded form is cached."""

LETTER_WEIGHT = 2
IDEOGRAPH_WEIGHT = 5
"""The weight of a Chinese character, which says more than a letter: 20 letters weigh as much as 8 of them."""

LOOK_ALIKES_ADDED: Mapping[str, str] = MappingProxyType({})
"""Look-alikes that Unicode's list lacks, written by hand: a letter or digit, and how it is read, as in
`"\u0430": "a"`. Folding decides what counts as a quotation, so a new row may change how a recorded turn is
judged: raise the engine number with it.
"""

_LOOK_ALIKES = {**LOOK_ALIKES, **LOOK_ALIKES_ADDED}

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
    read = _LOOK_ALIKES.get(letter)
    if read is None:
        small = letter.casefold()
        read = _LOOK_ALIKES.get(small, small)
    return "".join(_ALIKE.get(one, one) for one in read if one.isalnum())


LEET: Mapping[str, str] = MappingProxyType(
    dict(zip("23456789@$+|§¢£¥€₳฿₵₫₣₲₭₦₱₽₴₮₩", "zeasgtbgastisciyeabcdfgknppstw", strict=True))
)
"""Digits and symbols that stand for letters in a masked text; 0 and 1 are always read as letters."""

STROKES = frozenset("\u4e28\u4e36\u4e3f\u4e40\u4e41\u4e85\u4e5a")
"""Chinese characters that look like a dot or a line: 丨丶丿乀乁亅乚."""

_MASKED = re.compile(rf"[\d{re.escape(''.join(LEET))}]|[^\W\d_][!¡]+[^\W\d_]")


def is_masked(text: str, alphabet: frozenset[str]) -> bool:
    """Whether unmasking may read other letters than those of the text; `alphabet` as in `RenderedLetters`."""
    if _MASKED.search(text) is not None:
        return True
    read = () if text.isascii() else set(fold_signs(text))
    return any(_is_foreign(letters, alphabet) or not LEET.keys().isdisjoint(letters) for letters in read)


def list_alphabet(letters: str) -> frozenset[str]:
    """The folded letters that are neither Latin nor Chinese, as far as a text has them."""
    return frozenset() if letters.isascii() else frozenset(filter(_is_rare, letters))


def _is_rare(letter: str) -> bool:
    return not letter.isascii() and (letter in STROKES or _weigh(letter) == LETTER_WEIGHT)


def _is_foreign(letters: str, alphabet: frozenset[str]) -> bool:
    return any(letter not in alphabet for letter in letters if _is_rare(letter))


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


ENTITY_LENGTH_MAX = 12
"""Characters between `&` and `;`."""

LABEL_LENGTH_MAX = 3
"""Letters of a list number: `a)`, `iii.`, `十二、`."""

_AFTER_LABEL = frozenset(".):、）．：")
_OPENERS = frozenset(">*+-•#([（ \t")
"""Characters that may precede a list number."""

_MARKUP = re.compile(rf"[<&\]\d]|(?:^|\n)[{re.escape(''.join(_OPENERS))}]*\w{{1,3}}[.):、）．：]|\b\w[)）]")


def has_markup(text: str) -> bool:
    """Whether the rendered letters of a text may differ from its letters."""
    return _MARKUP.search(text) is not None


@frozen
class RenderedStep:
    """The result of reading one more character."""

    letters: str = ""
    begins_word: bool = False
    """Whether a word starts here; it may turn out to be a list number."""

    drops_word: bool = False
    """Whether the last word turned out to be a list number."""


_NOTHING = RenderedStep()


class RenderedLetters:
    """The letters of a text that remain visible once its markup is rendered, character by character."""

    def __init__(self, alphabet: frozenset[str] | None = None) -> None:
        """If `alphabet` is given, the text is unmasked: digits and symbols are read as letters, and of the
        letters that are neither Latin nor Chinese, only those of the alphabet are read.
        """
        self._alphabet = alphabet
        self._skipped_to = ""
        """What ends the markup being read; empty outside markup."""

        self._entity: str | None = None
        self._before = "\n"
        self._is_first = True
        """Whether this line has only had openers so far."""

        self._word = 0
        """Letters of the word being read."""

        self._is_label = False
        """Whether that word is the first on its line."""

        self._exclaimed = False
        """Whether an exclamation mark that was just read followed a letter, and may be an i."""

    @property
    def is_open(self) -> bool:
        """Whether what is being read may still turn out to be letters."""
        return self._entity is not None

    def read(self, sign: str) -> RenderedStep:
        """Read one more character."""
        before, self._before = self._before, sign
        if self._skipped_to:
            self._skipped_to = "" if sign == self._skipped_to else self._skipped_to
            return _NOTHING
        if self._entity is not None:
            return self._read_entity(sign)
        if before == "<" and (sign.isalpha() or sign in "/!"):
            self._skipped_to = ">"
            return _NOTHING
        if before == "]" and sign in "([":
            self._skipped_to = ")" if sign == "(" else "]"
            return _NOTHING
        if sign == "&":
            self._entity = ""
            return _NOTHING
        return self._read_plainly(sign)

    def finish(self) -> RenderedStep:
        """Flush what was held back, at the end of the text."""
        rest, self._entity = self._entity or "", None
        return RenderedStep(fold(rest))

    def _read_entity(self, sign: str) -> RenderedStep:
        assert self._entity is not None
        entity = self._entity + sign
        if sign == ";":
            # Imported here: it lists thousands of names, and few texts have one.
            import html

            self._entity = None
            return RenderedStep(fold(html.unescape(f"&{entity}")))
        if len(entity) < ENTITY_LENGTH_MAX and (sign.isalnum() or sign == "#"):
            self._entity = entity
            return _NOTHING
        self._entity = None
        return RenderedStep(fold(entity))

    def _read_plainly(self, sign: str) -> RenderedStep:
        if self._alphabet is not None:
            letters = self._unmask(sign, self._alphabet)
        else:
            letters = "" if sign.isnumeric() and not sign.isalpha() else fold(sign)
        if not letters:
            is_label = self._is_label and 0 < self._word <= LABEL_LENGTH_MAX and sign in _AFTER_LABEL
            is_label = is_label or (self._word == 1 and sign in ")）")
            self._word = 0
            self._is_first = sign == "\n" or (self._is_first and sign in _OPENERS)
            return RenderedStep(drops_word=is_label)
        begins = not self._word
        if begins:
            self._is_label, self._is_first = self._is_first, False
        self._word += 1
        return RenderedStep(letters, begins_word=begins)

    def _unmask(self, sign: str, alphabet: frozenset[str]) -> str:
        letters = LEET.get(sign) or "".join(LEET.get(letter, letter) for letter in fold(sign))
        if _is_foreign(letters, alphabet):
            letters = ""
        if sign in "!¡":
            self._exclaimed = self._exclaimed or self._word > 0
        elif self._exclaimed:
            self._exclaimed = False
            letters = f"i{letters}" if letters else ""
        return letters
