"""Game texts: all wording of a game in one language, by key, and the weight of a text in any script.

The rules hold keys, never words, so that a campaign's state is the same in every language. A Chinese
character says as much as two letters or more: it weighs two.
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
    """Keys with several texts: aliases, goals, style notes."""

    def get(self, key: str) -> str:
        """The text of a key; the key itself if there is none, since a model's reasons are already words."""
        return self.entries.get(key, key)

    def find(self, key: str) -> str:
        """The text of a key; empty if there is none."""
        return self.entries.get(key, "")

    def several(self, key: str) -> tuple[str, ...]:
        """All texts of a list key."""
        return self.lists.get(key, ())

    def value(self, variable: str, value: str) -> str:
        """How a value of the state is displayed: its label, or the value itself."""
        return self.entries.get(f"value.{variable}.{value}", value)


NO_TEXTS = Texts("en")
"""For callers without a game: every value is displayed unchanged."""

WIDE_WEIGHT = 2
"""The weight of a wide character; every other one weighs 1."""

_WIDE = frozenset({"W", "F"})
"""East Asian widths that take two columns."""


def weigh_sign(sign: str) -> int:
    """The weight of one character."""
    return WIDE_WEIGHT if unicodedata.east_asian_width(sign) in _WIDE else 1


def weigh(text: str) -> int:
    """The weight of a text: its number of characters, with Chinese ones counted twice."""
    return len(text) if text.isascii() else sum(map(weigh_sign, text))
