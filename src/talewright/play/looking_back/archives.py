"""Archives: the campaigns of a store, each opened to be looked back on.

The one door of this room for the command line; behind it nothing is altered.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, Store
from talewright.play.games import GameShelf
from talewright.play.home.pinned_games import PinnedGames
from talewright.play.looking_back.histories import (
    History,
    Progress,
    find_turn,
    keep_quiet,
    open_campaign,
    read_history,
)
from talewright.play.showing.wording import Wording
from talewright.turn.game_editions import Edition


@dataclass(frozen=True, slots=True)
class Past:
    """One campaign that was read."""

    book: CampaignBook
    history: History
    games: PinnedGames

    def find(self, name: str) -> Commit:
        """The turn that a person means."""
        return find_turn(self.history, name)

    async def read_with(self, commit: Commit) -> tuple[Edition, Wording]:
        """The game a turn was played with, and the words for it."""
        edition = await self.games.of(commit)
        line = self.history.lineage(commit)
        language = next(
            (str(turn.body["language"]) for turn in reversed(line) if "language" in turn.body), ""
        )
        language = language or edition.game.language
        return edition, Wording(edition.words(language), language)


@dataclass(frozen=True, slots=True)
class Archive:
    """Where the campaigns are and where their games come from."""

    store: Store
    shelf: GameShelf

    @asynccontextmanager
    async def book(self, campaign: str = "") -> AsyncIterator[CampaignBook]:
        """A campaign by its name, or that which was played last, let go afterwards."""
        book = await open_campaign(self.store, campaign)
        try:
            yield book
        finally:
            await book.close()

    @asynccontextmanager
    async def past(self, campaign: str = "", progress: Progress = keep_quiet) -> AsyncIterator[Past]:
        """The same, with everything it says read."""
        async with self.book(campaign) as book:
            yield Past(book, await read_history(book, progress), PinnedGames(book, self.shelf))
