"""The GameWorkbench port: the games that an author is working on, with what is wrong in their files.

A campaign adopts a changed game automatically, between two turns. This only informs the author. It does not
know where the files are or how they are compiled.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_told_language
from talewright.errors import Fault, Severity

MARK_DIGITS = 16


@frozen
class FaultView:
    """A fault, with the line that it is about."""

    fault: Fault
    before: str = ""
    at: str = ""
    after: str = ""
    """The line in three pieces: before the place, the character there, and the rest; all empty if the fault
    is about a whole file.
    """


@frozen
class WorkedGame:
    """A game folder as it is now."""

    name: str
    """The name of the folder, unique on the workbench."""

    folder: str
    """The path."""

    mark: str
    """Changes with the files."""

    checked_at: str
    """When the files were last compiled: ISO 8601 in UTC."""

    is_playable: bool
    """Whether the files as they are now make a game."""

    faults: tuple[FaultView, ...] = ()
    game: str = ""
    """The id of the game; if it has never compiled, the name of the folder."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """The title by language, of the last version that compiled."""

    good_at: str = ""
    """When the last version that can be played was compiled; empty if there was none yet."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it can be started."""
        return tuple(self.titles)

    def title(self, language: str) -> str:
        """The title in a language, or in another one that the game has."""
        return self.titles.get(pick_told_language(language, self.languages), "") or self.name

    def count(self, severity: str) -> int:
        """How many faults of a severity it has."""
        return sum(one.fault.severity is Severity(severity) for one in self.faults)


class GameWorkbench(Protocol):
    """Watches the folders of an author."""

    async def games(self, *, at_once: bool = False) -> tuple[WorkedGame, ...]:
        """The games being worked on; changed files are compiled again.

        Repeated calls may return the findings of a moment ago, unless `at_once` is set.
        """


def mark_games(games: Iterable[WorkedGame]) -> str:
    """A mark that changes when any of the games does."""
    told = "\n".join(f"{one.folder} {one.mark} {one.checked_at}" for one in games)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:MARK_DIGITS]
