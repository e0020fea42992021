"""Rendered letters: the letters of a text that are left once its markup is shown and not read.

Tags, targets of links and numbers of lists stand between the words of a text and are none of its words. It
reads letter by letter as the text arrives, and compares nothing.
"""

import html
import re

from talewright.common.frozen_values import frozen
from talewright.common.letter_folding import fold

ENTITY_LENGTH_MAX = 12
"""Characters of what stands between `&` and `;`."""

LABEL_LENGTH_MAX = 3
"""Letters of the number of a list: `a)`, `iii.`, `十二、`."""

_AFTER_LABEL = frozenset(".):、）．：")
_OPENERS = frozenset(">*+-•#([（ \t")
"""What may stand before the number of a list."""

_MARKUP = re.compile(rf"[<&\]\d]|(?:^|\n)[{re.escape(''.join(_OPENERS))}]*\w{{1,3}}[.):、）．：]|\b\w[)）]")


def has_markup(text: str) -> bool:
    """Whether the rendered letters of a text may be others than its letters."""
    return _MARKUP.search(text) is not None


@frozen
class RenderedStep:
    """What one more character brings."""

    letters: str = ""
    begins_word: bool = False
    """Whether a word begins with it, which may turn out to be the number of a list."""

    drops_word: bool = False
    """Whether the word that began last was the number of a list."""


_NOTHING = RenderedStep()


class RenderedLetters:
    """Reads a text character by character."""

    def __init__(self) -> None:
        self._skipped_to = ""
        """What ends the markup that is being read; empty outside of it."""

        self._entity: str | None = None
        self._before = "\n"
        self._is_first = True
        """Whether nothing but openers has come in this line."""

        self._word = 0
        """Letters of the word that is being read."""

        self._is_label = False
        """Whether that word is the first of its line."""

    @property
    def is_open(self) -> bool:
        """Whether what is being read may yet turn out to be letters."""
        return self._entity is not None

    def read(self, sign: str) -> RenderedStep:
        """One more character."""
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
        """What was held back, once nothing more follows."""
        rest, self._entity = self._entity or "", None
        return RenderedStep(fold(rest))

    def _read_entity(self, sign: str) -> RenderedStep:
        assert self._entity is not None
        entity = self._entity + sign
        if sign == ";":
            self._entity = None
            return RenderedStep(fold(html.unescape(f"&{entity}")))
        if len(entity) < ENTITY_LENGTH_MAX and (sign.isalnum() or sign == "#"):
            self._entity = entity
            return _NOTHING
        self._entity = None
        return RenderedStep(fold(entity))

    def _read_plainly(self, sign: str) -> RenderedStep:
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
