"""Sessions on a folder store that tests can cut short: small records, no waiting for the disk.

What a session was told is written down, so that a test can ask for it afterwards.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, read_frame
from talewright.chronicle.readable_pages import RecordWitness
from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import (
    MAIN,
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.store import BlobKind, CampaignBook, Founding, UnknownCampaignError
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.folder_store import FolderStore

CAMPAIGN = "harbor"
SECRET = bytes(range(32))


class QuickDisk(Disk):
    """A disk that does not wait: power does not fail in a test."""

    def sync_data(self, file: int) -> None:
        """Nothing."""
        os.fstat(file)

    def sync(self, file: int) -> None:
        """Nothing."""
        os.fstat(file)

    def sync_folder(self, path: Path) -> None:
        """Nothing."""


QUICK = QuickDisk()


def make_root(title: str) -> Commit:
    """The first commit."""
    return Commit("c0", "", MAIN, 0, "o0", "t0", "g", "s0", {"format": 2, "title": title})


def make_wish(number: int) -> Accepted:
    """What a player says in a turn."""
    return Accepted(f"o{number}", MAIN, f"c{number - 1}", f"say {number}", f"t{number}")


def make_turn(number: int) -> Commit:
    """A turn."""
    return Commit(f"c{number}", f"c{number - 1}", MAIN, number, f"o{number}", f"t{number}", "g", f"s{number}")


def make_try(number: int) -> Attempt:
    """The try that became a turn."""
    return Attempt(f"a{number}", f"o{number}", MAIN, f"c{number - 1}", f"t{number}", AttemptVerdict.COMMITTED)


def open_store(folder: Path, disk: Disk = QUICK, *, git: bool = False) -> FolderStore:
    """A store that does not wait."""
    return FolderStore(folder, git=git, disk=disk)


async def begin(store: FolderStore, title: str = "Harbor") -> FolderBook:
    """Open the campaign, or begin it."""
    try:
        return await store.open(CAMPAIGN)
    except UnknownCampaignError:
        return await store.found(Founding(CAMPAIGN, make_root(title), SECRET, {"title": title}))


async def write_turns(folder: Path, count: int, title: str = "Harbor") -> list[Record]:
    """A campaign of some turns, closed; all its records."""
    book = await begin(open_store(folder), title)
    for number in range(1, count + 1):
        await book.accept(make_wish(number))
        await book.commit(make_turn(number), make_try(number))
    records = await read_all(book)
    await book.close()
    return records


async def read_all(book: CampaignBook) -> list[Record]:
    """All records."""
    return [record async for record in book.records()]


def find_frames(data: bytes) -> list[int]:
    """Where the frames of a chronicle begin, and where it ends."""
    bounds, chain = [0], GENESIS
    while bounds[-1] < len(data):
        frame = read_frame(data, bounds[-1], chain)
        assert isinstance(frame, RecordFrame)
        bounds.append(bounds[-1] + frame.size)
        chain = frame.chain
    return bounds


@dataclass(slots=True)
class Told:
    """What a session was told is safe."""

    operations: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    """The hint of each error."""

    async def check(self, book: CampaignBook, *, whole: bool = True) -> None:
        """All of it is there, the records agree, and a campaign that is whole is called so."""
        records = await read_all(book)
        assert inspect_records(records) == ()
        for operation in self.operations:
            assert (await book.find(operation)).accepted is not None
        for commit in self.commits:
            assert (await book.read(commit)).id == commit
        found = await book.asides(frozenset(self.commits))
        assert {aside.id for aside in found} >= set(self.asides)
        assert dict(await book.marks()).items() >= self.marks.items()
        for name in self.kept:
            assert await book.kept(BlobKind.SNAPSHOT, name) == {"state": name}
        assert await book.secret() == SECRET
        assert isinstance(book, RecordWitness)
        assert (await book.find_lost() == ()) is whole


async def play(store: FolderStore, told: Told, turns: int) -> FolderBook:
    """Take turns up to a number, whatever was done before; what is acknowledged is written down.

    Anything may be handed in again: the same wish is the same wish. The book is given back open.
    """
    book = await begin(store)
    try:
        for number in range(1, turns + 1):
            commit = make_turn(number)
            if (await book.find(commit.operation_id)).commit is None:
                await book.accept(make_wish(number))
                told.operations.append(commit.operation_id)
            await book.commit(commit, make_try(number))
            told.commits.append(commit.id)
            await book.keep(BlobKind.SNAPSHOT, commit.id, {"state": commit.id})
            told.kept.append(commit.id)
            if not any(aside.id == f"x{number}" for aside in await book.asides(frozenset({commit.id}))):
                await book.add(Aside(f"x{number}", commit.id, commit.at, {}))
            told.asides.append(f"x{number}")
            await book.point(Pointing(PointerKind.MARK, f"m{number}", commit.id, commit.at))
            told.marks[f"m{number}"] = commit.id
    except BaseException:
        await book.close()
        raise
    return book
