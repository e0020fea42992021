"""Pinned games: for each commit the edition it was played with, unpacked once.

It only reads what a campaign has kept.
"""

from talewright.chronicle.records import Commit
from talewright.chronicle.store import BlobKind, CampaignBook, DamagedError
from talewright.turn.game_editions import Edition, Editions

EDITIONS_MAX = 32
"""Editions of one campaign that are held unpacked."""


class PinnedGames:
    """The editions of one campaign."""

    def __init__(self, book: CampaignBook, editions: Editions) -> None:
        self._book = book
        self._editions = editions
        self._unpacked: dict[str, Edition] = {}

    async def of(self, commit: Commit) -> Edition:
        """The edition a turn was played with."""
        digest = commit.game_digest
        if digest not in self._unpacked:
            form = await self._book.kept(BlobKind.GAME, digest)
            if form is None:
                raise DamagedError(
                    f"the game that turn {commit.version} was played with is missing from the campaign",
                    "Bring back the folder `games` of the campaign from a backup or from its git history.",
                )
            while len(self._unpacked) >= EDITIONS_MAX:
                del self._unpacked[next(iter(self._unpacked))]
            self._unpacked[digest] = self._editions.unpack(form)
        return self._unpacked[digest]
