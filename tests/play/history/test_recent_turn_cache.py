"""The recent turn cache: what was shown once is not read again, and each role has its own."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.play.campaign_view import Viewer
from talewright.play.history import recent_turn_cache
from talewright.play.history.recent_turn_cache import RecentTurnCache
from talewright.play.sessions.store_session import StoreSession
from tests.play.making import make_lobby
from tests.play.scenes import room


class Reader:
    """A cache of versions, and a count of commits read from the book and of those made something of."""

    def __init__(self, book: CampaignBook) -> None:
        self.book = book
        self.cache: RecentTurnCache[int] = RecentTurnCache()
        self.read = self.made = 0

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        line = await self.book.back(commit, count)
        self.read += len(line)
        return line

    async def make(self, commit: Commit) -> int:
        self.made += 1
        return commit.version

    async def walk(self, head: str, count: int, viewer: Viewer = Viewer.PLAYER) -> list[int]:
        self.read = self.made = 0
        book: CampaignBook = self  # type: ignore[assignment]  # Only `back` is asked.
        return await self.cache.walk_back(book, head, count, viewer, self.make)


async def played(turns: int) -> tuple[StoreSession, Reader]:
    session = await make_lobby(room()).begin("test", "en")
    for _ in range(turns):
        await session.choose("take")
    return session, Reader(session.seat.road.book)


def test_only_new_turns_are_read() -> None:
    async def main() -> None:
        session, reader = await played(6)
        assert await reader.walk(await session.seat.head(), 4) == [7, 6, 5, 4]
        assert (reader.read, reader.made) == (4, 4)
        assert await reader.walk(await session.seat.head(), 4) == [7, 6, 5, 4]
        assert (reader.read, reader.made) == (0, 0)
        await session.choose("take")
        assert await reader.walk(await session.seat.head(), 4) == [8, 7, 6, 5]
        assert (reader.read, reader.made) == (1, 1)
        assert await reader.walk(await session.seat.head(), 99) == [8, 7, 6, 5, 4, 3, 2, 1]
        assert await reader.walk(await session.seat.head(), 2, Viewer.AUTHOR) == [8, 7]
        assert reader.made == 2, "another role sees other things"

    asyncio.run(main())


def test_a_cache_keeps_a_limited_number(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(recent_turn_cache, "CACHED_MAX", 3)
        session, reader = await played(6)
        for _ in range(2):
            assert await reader.walk(await session.seat.head(), 99) == [7, 6, 5, 4, 3, 2, 1]
            assert reader.made == 7

    asyncio.run(main())


def test_the_page_shows_the_turns_of_its_branch_after_undo() -> None:
    async def main() -> None:
        session, _ = await played(3)
        before = await session.past.turns(20)
        await session.undo(2)
        await session.choose("wait")
        after = await session.past.turns(20)
        assert [turn.version for turn in after] == [1, 2, 3]
        assert after[:2] == before[:2]
        assert after[2].commit != before[2].commit
        session.seat.shown = RecentTurnCache()
        assert await session.past.turns(20) == after
        assert replace(after[2], commit="") != replace(before[2], commit="")

    asyncio.run(main())
