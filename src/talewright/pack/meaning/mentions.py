"""Mentions: whether the words of a game speak of somebody or something, however loosely.

It errs on the side of yes: one word of a name is enough.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from talewright.pack.words.catalogue import Catalogue

WORD_LENGTH_MIN = 3
"""Letters of a word that counts as a mention; shorter ones stand in every text."""

_WORDS = re.compile(r"[^\W_]+")
_ANYBODY = ""
_OWNERS = ("npc", "item")
"""Kinds of texts that tell of one of the cast alone."""


class Mentions:
    """The words of a game, and who alone is told with them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def has(self, names: Iterable[str], owner: str) -> bool:
        """Whether any of some names is mentioned, whole or in part, in other texts than its own."""
        return any(self._has_name(name, owner) for name in names)

    @cached_property
    def _said(self) -> Mapping[str, str]:
        """Words, and the one of the cast in whose own texts alone they stand."""
        texts: dict[str, list[str]] = {}
        for key, text in self._catalogue.entries.items():
            texts.setdefault(_owner_of(key), []).append(text)
        for key, several in self._catalogue.lists.items():
            texts.setdefault(_owner_of(key), []).extend(several)
        said: dict[str, str] = {}
        for owner, spoken in texts.items():
            words = set(_WORDS.findall("\n".join(spoken).casefold()))
            for form in {form for word in words for form in _forms(word)}:
                said[form] = owner if said.setdefault(form, owner) == owner else _ANYBODY
        return said

    def _has_name(self, name: str, owner: str) -> bool:
        words = _WORDS.findall(name.casefold())
        telling = [word for word in words if len(word) >= WORD_LENGTH_MIN or not word.isascii()]
        return any(self._said.get(form, owner) != owner for word in telling or words for form in _forms(word))


def _owner_of(key: str) -> str:
    """Whose own text a key stands for: `npc.hanne`, `item.lamp` or anybody's."""
    kind, _, rest = key.partition(".")
    return f"{kind}.{rest.partition('.')[0]}" if kind in _OWNERS else _ANYBODY


def _forms(word: str) -> Iterable[str]:
    """What stands for a word: itself and its singular; of scripts without spaces, every two letters."""
    if word.isascii():
        return {word, word.removesuffix("s"), word.removesuffix("es")}
    return {word[start : start + 2] for start in range(max(1, len(word) - 1))}
