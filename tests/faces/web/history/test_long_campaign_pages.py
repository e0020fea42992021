"""Pages of a campaign of 2,000 turns and 200 branches: small, and read without its whole past."""

import asyncio
from pathlib import Path
from time import perf_counter

import pytest

from talewright.chronicle.records import Commit, PointerKind, Pointing
from talewright.faces.web.history.history_pages import ROWS_SHOWN
from talewright.stores.folder.folder_book import FolderReader
from tests.faces.web.visiting import PageVisitor, visit
from tests.play.history.long_campaigns import SEED, write_campaign

pytestmark = pytest.mark.slow

TURNS = 2_000
BRANCHES = 200
PAGE_BYTES_MAX = 120_000
COMMITS_READ_MAX = 250
"""On the way back, for one page of the table or of a book that was opened before."""

PAGE_SECONDS_MAX = 20.0
"""So much only on a very slow machine; a second or two is usual."""


async def write_long(saves: Path) -> None:
    """A long campaign with many branches."""
    scribe = await write_campaign(saves, "long", TURNS)
    book = scribe.book
    line = await book.back(scribe.head.id, TURNS)
    at = scribe.head.at
    for number, commit in enumerate(line[5 :: TURNS // BRANCHES]):
        await book.point(Pointing(PointerKind.BRANCH, f"branch-{number}", commit.id, at))
    await book.point(Pointing(PointerKind.BRANCH, "main", scribe.head.id, at), scribe.head.id)
    await book.close()


def test_pages_of_a_long_campaign_stay_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(write_long(tmp_path))
    read = 0
    back = FolderReader.back

    async def count(self: FolderReader, commit: str, count: int) -> tuple[Commit, ...]:
        nonlocal read
        found = await back(self, commit, count)
        read += len(found)
        return found

    monkeypatch.setattr(FolderReader, "back", count)

    async def look(visitor: PageVisitor) -> None:
        nonlocal read

        async def measure(page: str) -> int:
            nonlocal read
            read, begin = 0, perf_counter()
            await visitor.get(f"/play/long{page}")
            seconds, size = perf_counter() - begin, len(visitor.answer.content)
            print(f"seed {SEED}: {page or 'table'}: {seconds:.2f} s, {size} bytes, {read} turns read")
            assert visitor.answer.status_code == 200
            assert size < PAGE_BYTES_MAX, page
            assert seconds < PAGE_SECONDS_MAX, page
            return read

        await measure("")
        assert await measure("") <= COMMITS_READ_MAX
        await measure("/book?chapter=80")
        for page in ("/book?chapter=40", "/receipts?from=1000"):
            assert await measure(page) <= COMMITS_READ_MAX, page
        for page in ("/history", "/compare?one=1900&other=main"):
            await measure(page)
        tree = await visitor.get("/play/long/history?every=1&from=1000")
        rows = [given for given in tree.find("li") if given.get("class", "").startswith("lane-")]
        assert len(rows) == ROWS_SHOWN

    visit(tmp_path, look)
