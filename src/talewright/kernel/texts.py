"""Texts: every word of a game in one language, found by key.

The rules hold keys, never words, so that a campaign's state is the same in every language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
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
