"""The outline of the tree: extended record by record, equal to the whole tree, read anew after a restore."""

import asyncio
import random
from collections.abc import AsyncIterator

from talewright.chronicle.records import Record
from talewright.chronicle.store import CampaignBook
from talewright.play.campaign_past import TreeRow
from talewright.play.history.tree_outline import TreeOutline
from talewright.play.sessions.store_session import StoreSession
from tests.play.making import make_lobby
from tests.play.scenes import room

SEED = 2107
STEPS = 40


async def wander(session: StoreSession, choose: random.Random) -> None:
    """One step anywhere in the tree."""
    match choose.randrange(8):
        case 0:
            await session.undo(choose.randrange(4))
        case 1:
            rows = [row.commit for row in await session.past.tree(every=True) if row.version]
            await session.fork(choose.choice(rows))
        case 2:
            await session.switch(choose.choice((await session.view()).branches))
        case 3:
            await session.mark(f"mark {choose.randrange(3)}")
        case _:
            await session.choose(choose.choice(("wait", "fight", "take")))


def test_a_page_shows_what_the_whole_tree_shows() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test", "en")
        choose = random.Random(SEED)
        for step in range(STEPS):
            await wander(session, choose)
            for every in (True, False):
                whole = await session.past.tree(every=every)
                page = await session.past.tree_page(999, every=every)
                assert find_shown(page.rows) >= find_shown(whole), f"seed {SEED}, step {step}"
                if every:
                    assert page.rows == whole, f"seed {SEED}, step {step}"
                first = choose.randrange(page.total)
                part = await session.past.tree_page(3, first, every=every)
                assert part.rows == page.rows[part.first : part.first + 3]

    asyncio.run(main())


def find_shown(rows: tuple[TreeRow, ...]) -> set[str]:
    return {row.commit for row in rows if row.commit}


class CountingBook:
    """A book that counts the records it reads, and may say that it has fewer."""

    def __init__(self, book: CampaignBook) -> None:
        self.book = book
        self.read = 0

    async def look(self) -> object:
        return await self.book.look()

    async def records(self, after: int = -1) -> AsyncIterator[Record]:
        async for record in self.book.records(after):
            self.read += 1
            yield record


def test_only_new_records_are_read_and_an_older_copy_anew() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        for _ in range(20):
            await session.choose("wait")
        book, outline = CountingBook(session.seat.road.book), TreeOutline()
        await outline.update(book)  # type: ignore[arg-type]
        whole = book.read
        await outline.update(book)  # type: ignore[arg-type]
        assert book.read - whole <= 2
        assert len(outline.parents) == 22
        other = await lobby.begin("test", "en", campaign="other")
        await outline.update(other.seat.road.book)
        # It has fewer turns, so it cannot be the same record.
        assert len(outline.parents) == 2

    asyncio.run(main())
