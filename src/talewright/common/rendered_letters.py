"""Rendered letters: the letters of a text that remain visible once its markup is rendered.

Tags, link targets and list numbers are not words of the text. It reads character by character as the text
arrives, and compares nothing.
"""

import html
import re

from talewright.common.frozen_values import frozen
from talewright.common.letter_folding import fold

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
    """Reads a text character by character."""

    def __init__(self) -> None:
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
