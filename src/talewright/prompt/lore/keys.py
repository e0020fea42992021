"""Keys: whether the words that bring up a piece of lore occur in a text.

A key must be a word of its own unless the author says otherwise. Scripts that are written without blanks have
no such words: there a key counts wherever it stands.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache

from talewright.prompt.lore.automata import make_automaton
from talewright.prompt.lore.patterns import PatternError

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Chinese, Japanese; and Korean, where endings are joined to the word."""


KEYS_KEPT_MAX = 20_000
"""Keys that are kept ready to be compared."""

_START = 3
"""Characters of a key by which it is sorted out."""


class Passage:
    """Words to look into, prepared once for all keys.

    A game may have thousands of keys, of which a passage holds a few: most are sorted out by their first
    characters, without the passage being looked through for each.
    """

    def __init__(self, text: str) -> None:
        self._plain = unicodedata.normalize("NFC", text)
        self._folded = self._plain.casefold()

    @cached_property
    def _starts(self) -> frozenset[str]:
        """Everything that a key of some length can begin with, capitals aside."""
        return frozenset(self._folded[at : at + _START] for at in range(len(self._folded)))

    def find(self, keys: Sequence[str], *, whole_words: bool, case_sensitive: bool) -> str:
        """The first of these words that occurs; empty where none does."""
        text = self._plain if case_sensitive else self._folded
        for key in keys:
            plain, folded = _prepare(key)
            if len(folded) >= _START and folded[:_START] not in self._starts:
                continue
            if plain and _occurs(plain if case_sensitive else folded, text, whole_words):
                return key
        return ""

    def match(self, patterns: Sequence[str], *, case_sensitive: bool) -> str:
        """The first of these patterns that occurs; one that is none never does."""
        for pattern in patterns:
            try:
                automaton = make_automaton(pattern, case_sensitive=case_sensitive)
            except PatternError:
                continue
            if automaton.find(self._plain):
                return pattern
        return ""


@lru_cache(KEYS_KEPT_MAX)
def _prepare(key: str) -> tuple[str, str]:
    """A key as it is looked for, with its capitals and without."""
    plain = unicodedata.normalize("NFC", key).strip()
    return plain, plain.casefold()


def _occurs(key: str, text: str, whole_words: bool) -> bool:
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        joined_before = at > 0 and _are_joined(text[at - 1], key[0])
        joined_after = end < len(text) and _are_joined(key[-1], text[end])
        if not whole_words or not (joined_before or joined_after):
            return True
        at = text.find(key, at + 1)
    return False


def _are_joined(before: str, after: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not (_is_letter(before) and _is_letter(after)):
        return False
    return not (_UNSPACED.match(before) or _UNSPACED.match(after))


def _is_letter(sign: str) -> bool:
    # A mark on a letter belongs to the letter's word.
    return sign.isalnum() or sign == "_" or unicodedata.category(sign).startswith("M")
