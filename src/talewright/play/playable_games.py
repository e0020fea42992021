"""The GameLibrary port: the games that can be started, and the edition that each commit was played with.

It does not know where games are stored or how they are compiled. It reads only the stored games of a
campaign.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from talewright.chronicle.records import Commit
from talewright.chronicle.store import BlobKind, CampaignBook, DamagedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.play.lobby import GameInfo
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.steps.recalling import unpack_pinned


class UnknownGameError(TalewrightError):
    """There is no such game."""


class UnplayableGameError(TalewrightError):
    """A game has faults, or can no longer be read."""


class ForeignGameError(TalewrightError):
    """The game of an imported campaign is not installed here, and the operator does not allow others."""


class TellerNeededError(TalewrightError):
    """A game has no scenes, and there is no storyteller."""


class ImportableEditions(Editions, Protocol):
    """Finds editions, also those in files from strangers."""

    def unpack_imported(self, form: Json) -> Edition:
        """Load the edition in an imported file. Raises ForeignGameError if campaigns of it are not taken
        here, and another TalewrightError if it cannot be read.
        """


class GameLibrary(ImportableEditions, Protocol):
    """Finds games."""

    def games(self) -> tuple[GameInfo, ...]:
        """The games that can be started."""

    def edition(self, game: str) -> Edition:
        """The game with an id in `games`. Raises TalewrightError if there is none or it has faults.

        The id may come from a stranger: it is never a path.
        """


class OwnGameLibrary(GameLibrary, Protocol):
    """The games of the user who runs this program, who may also name a folder."""

    def admit(self, name_or_path: str) -> Edition:
        """The game with an id or in a folder, which is listed from then on. Only for arguments of the command
        line. Raises TalewrightError if there is none or it has faults.
        """


@frozen
class PastedGame:
    """A game as a user pastes it into a conversation; it has a premise, rules, or both."""

    title: str
    language: str
    """Of its texts, such as `en`."""

    premise: str = ""
    """What the story is about."""

    place: str = ""
    """The name of the place where the story begins; empty to use the title."""

    rules: str = ""
    """A rulebook in Markdown, such as a `System.md`."""


@frozen
class MadeGame:
    """A game that was made of a pasted one."""

    id: str
    folder: str
    """Where its files are, in words."""

    warnings: tuple[str, ...] = ()
    """What was not understood, in words."""


GameMaker: TypeAlias = Callable[[PastedGame], Awaitable[MadeGame]]
"""Makes a game that is listed from then on; the same texts give the same game."""

EDITIONS_MAX = 32
"""Editions of one campaign cached in memory."""


class PinnedGames:
    """The editions of one campaign."""

    def __init__(self, book: CampaignBook, editions: Editions) -> None:
        self._book = book
        self._editions = editions
        self._unpacked: dict[str, Edition] = {}

    async def of(self, commit: Commit) -> Edition:
        """The edition a turn was played with."""
        edition = await self.find(commit.game_digest)
        if edition is None:
            raise DamagedError(
                f"the game that turn {commit.version} was played with is missing from the campaign",
                "Restore the campaign's folder `games` from a backup or from its git history.",
            )
        return edition

    async def find(self, digest: str) -> Edition | None:
        """The edition with a digest; None if the campaign does not have it."""
        if digest not in self._unpacked:
            form = await self._book.kept(BlobKind.GAME, digest)
            if form is None:
                return None
            edition = await unpack_pinned(self._editions, form, digest)
            while len(self._unpacked) >= EDITIONS_MAX:
                del self._unpacked[next(iter(self._unpacked))]
            self._unpacked[digest] = edition
            return edition
        return self._unpacked[digest]
