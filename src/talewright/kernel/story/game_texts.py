"""Game texts: every word of a game in one language, by key, and how much a text weighs in any script.

The rules hold keys, never words, so that a campaign's state is the same in every language.
A Chinese character says what two letters or more say elsewhere: it weighs two.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import field

from talewright.common.frozen_values import frozen


@frozen
class Texts:
    """The catalogue of one language, completed from the game's base language."""

    language: str
    entries: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What comes in several: aliases, goals, style notes."""

    def get(self, key: str) -> str:
        """The text of a key; the key itself where there is none, since model reasons are words already."""
        return self.entries.get(key, key)

    def find(self, key: str) -> str:
        """The text of a key, or nothing."""
        return self.entries.get(key, "")

    def several(self, key: str) -> tuple[str, ...]:
        """All texts of a key that names a list."""
        return self.lists.get(key, ())

    def value(self, variable: str, value: str) -> str:
        """How a value of the state is shown: its label, or the value itself."""
        return self.entries.get(f"value.{variable}.{value}", value)


NO_TEXTS = Texts("en")
"""Of whoever has no game at hand: every value is shown as it is."""

WIDE_WEIGHT = 2
"""What a wide character weighs; every other one weighs 1."""

_WIDE = frozenset({"W", "F"})
"""Widths of East Asian characters that take two columns."""


def weigh_sign(sign: str) -> int:
    """The weight of one character."""
    return WIDE_WEIGHT if unicodedata.east_asian_width(sign) in _WIDE else 1


def weigh(text: str) -> int:
    """The weight of a text: its characters, of which those of Chinese count twice."""
    return len(text) if text.isascii() else sum(map(weigh_sign, text))
