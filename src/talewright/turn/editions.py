"""Editions: a compiled game as a campaign pins it, and the port by which one is found.

Who compiles games, and from where, is not known here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from talewright.kernel.game import Game
from talewright.kernel.state.documents import Json
from talewright.kernel.story.game_texts import Texts


@dataclass(frozen=True, slots=True)
class Edition:
    """One state of a game's folder, compiled."""

    game: Game
    texts: Mapping[str, Texts]
    digest: str
    """SHA-256 of its form: the same game has the same digest."""

    form: Json
    """The compiled game as JSON, as a campaign keeps it."""

    def words(self, language: str) -> Texts:
        """The texts in a language, or in the game's own."""
        return self.texts.get(language) or self.texts[self.game.language]


class Editions(Protocol):
    """Where editions come from."""

    def unpack(self, form: Json) -> Edition:
        """The edition that a campaign has kept; a TalewrightError where it cannot be read any more."""

    def latest(self, game: str) -> Edition | None:
        """What the game's folder holds today; None where it cannot be found or does not compile."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Editions that were unpacked already: a campaign plays many turns with the same one."""

    by_digest: dict[str, Edition] = field(default_factory=dict)
