"""The GameShelf port: the games that can be begun, and their editions.

Where they lie and how they are compiled is not known here.
"""

from typing import Protocol

from talewright.play.lobby import GameInfo
from talewright.turn.game_editions import Edition, Editions


class GameShelf(Editions, Protocol):
    """Where games are found."""

    def games(self) -> tuple[GameInfo, ...]:
        """What can be begun."""

    def edition(self, name_or_path: str) -> Edition:
        """The game of a name or in a folder; a TalewrightError where there is none or it has faults."""
