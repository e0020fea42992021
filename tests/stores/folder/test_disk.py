"""A disk that refuses: full or failing at every call of a session, one call after the other.

After each failure the campaign is opened on a good disk: all that was acknowledged is there, the records
agree with one another, and the session can be finished.
"""

import asyncio
import errno
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.records import Commit
from talewright.chronicle.store import ChronicleError, UnsavedError
from talewright.stores.folder.disk import LAST
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    QuickDisk,
    Told,
    begin,
    make_try,
    make_turn,
    make_wish,
    open_store,
    play,
    read_all,
)

TURNS = 3


@dataclass(slots=True)
class BadDisk(QuickDisk):
    """Fails at one call, counted from one, or at all of a kind from there on."""

    fails_at: int
    code: int = errno.EIO
    sticky: bool = False
    """Whether no later write is taken either, as on a disk that stays full."""

    halves: bool = False
    """Whether the failing write takes half of what it was given before."""

    calls: int = 0
    failed: str = ""

    def _count(self, name: str) -> None:
        self.calls += 1
        if self.calls == self.fails_at or (self.sticky and self.failed and name == "write"):
            self.failed = self.failed or name
            raise OSError(self.code, os.strerror(self.code))

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """A descriptor, or a failure."""
        self._count("open")
        return QuickDisk.open(self, path, flags, mode)

    def size(self, file: int) -> int:
        """A size, or a failure."""
        self._count("size")
        return QuickDisk.size(self, file)

    def status(self, path: str) -> os.stat_result:
        """A status, or a failure."""
        self._count("status")
        return QuickDisk.status(self, path)

    def read(self, file: int, size: int, offset: int) -> bytes:
        """Bytes, or a failure."""
        self._count("read")
        return QuickDisk.read(self, file, size, offset)

    def write(self, file: int, data: bytes | memoryview) -> int:
        """A write that succeeds, fails, or fails half-way."""
        if self.halves and self.calls + 1 == self.fails_at:
            os.write(file, data[: len(data) // 2])
        self._count("write")
        return QuickDisk.write(self, file, data)

    def sync_data(self, file: int) -> None:
        """Nothing, or a failure."""
        self._count("sync_data")

    def sync(self, file: int) -> None:
        """Nothing, or a failure."""
        self._count("sync")

    def truncate(self, file: int, size: int) -> None:
        """A cut, or a failure."""
        self._count("truncate")
        QuickDisk.truncate(self, file, size)

    def make_folder(self, path: Path) -> None:
        """A folder, or a failure."""
        self._count("make_folder")
        QuickDisk.make_folder(self, path)

    def replace(self, source: Path, target: Path) -> None:
        """A new name, or a failure."""
        self._count("replace")
        QuickDisk.replace(self, source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        """A new name, or a failure."""
        self._count("move_folder")
        QuickDisk.move_folder(self, source, target)

    def sync_folder(self, path: Path) -> None:
        """Nothing, or a failure."""
        self._count("sync_folder")


async def run_session(place: Path, disk: BadDisk, told: Told) -> bool:
    """A session on a bad disk; whether it was carried through."""
    try:
        book = await play(open_store(place, disk), told, TURNS)
    except ChronicleError as error:
        told.refusals.append(error.hint)
        return False
    await book.project(PageProjection(f"c{TURNS}", "The end", {"state.json": "{}"}))
    await book.close()
    return True


async def finish_session(place: Path, told: Told) -> None:
    """On a good disk: everything told is there, and the rest can be done."""
    book = await begin(open_store(place))
    await told.check(book)
    await book.close()
    book = await play(open_store(place), told, TURNS)
    await told.check(book)
    commits = [record for record in await read_all(book) if isinstance(record, Commit)]
    assert [commit.id for commit in commits] == [f"c{number}" for number in range(TURNS + 1)]
    assert [commit.sequence for commit in commits] == list(range(TURNS + 1))
    assert (await book.look()).waiting == ()
    await book.close()
    (listing,) = await open_store(place).campaigns()
    assert not listing.damaged
    assert {path.name for path in place.iterdir()} - {LAST} == {CAMPAIGN}


MODES = {
    "fails once": BadDisk(0, errno.EIO),
    "full once, half written": BadDisk(0, errno.ENOSPC, halves=True),
    "full from then on": BadDisk(0, errno.ENOSPC, sticky=True, halves=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_failure_at_every_call(mode: str, tmp_path: Path) -> None:
    kind = MODES[mode]
    failed: set[str] = set()
    for number in range(1, 2_000):
        place, told = tmp_path / str(number), Told()
        disk = BadDisk(number, kind.code, kind.sticky, kind.halves)
        asyncio.run(run_session(place, disk, told))
        if not disk.failed:
            break
        failed.add(disk.failed)
        assert all(told.refusals)
        try:
            asyncio.run(finish_session(place, told))
        except (AssertionError, ChronicleError) as error:
            raise AssertionError(f"call {number}, {disk.failed}: {error!r}") from error
    else:
        pytest.fail("the session never came to its end")
    assert failed >= {"open", "read", "write", "sync_data", "sync", "replace", "move_folder", "sync_folder"}


def test_after_a_failed_sync_nothing_more_is_written_until_reopened(tmp_path: Path) -> None:
    async def scene() -> None:
        disk = BadDisk(0)
        book = await play(open_store(tmp_path, disk), Told(), 2)
        before = (tmp_path / CAMPAIGN / "chronicle.jsonl").read_bytes()
        disk.fails_at = await count_calls_to_sync(disk, tmp_path)
        with pytest.raises(UnsavedError, match="this may not have been saved") as unknown:
            await book.accept(make_wish(3))
        assert "reopen the campaign" in unknown.value.hint
        assert disk.failed == "sync_data"
        for _ in range(2):
            with pytest.raises(UnsavedError, match="until it is reopened"):
                await book.accept(make_wish(3))
        assert (await book.branches()) == {"main": "c2"}
        assert (await book.read("c2")).id == "c2"
        await book.close()
        assert (tmp_path / CAMPAIGN / "chronicle.jsonl").read_bytes() == before
        again = await begin(open_store(tmp_path))
        assert (await again.find("o3")).accepted is None
        await again.accept(make_wish(3))
        assert (await again.commit(make_turn(3), make_try(3))).sequence == 3
        await again.close()

    asyncio.run(scene())


async def count_calls_to_sync(disk: BadDisk, place: Path) -> int:
    """The number of the next call that syncs, if the next thing done is to accept an input."""
    trial = BadDisk(0)
    book = await begin(open_store(place, trial))
    calls = trial.calls
    assert (await book.look()).damage is None
    looking = trial.calls - calls
    await book.close()
    # Looking, one write, then the sync; what is looked up is still in memory.
    return disk.calls + looking + 2


def test_what_a_failed_write_left_is_cut_off_or_set_aside(tmp_path: Path) -> None:
    class Stubborn(BadDisk):
        def truncate(self, file: int, size: int) -> None:
            raise OSError(errno.EIO, "no")

    async def scene() -> None:
        disk = Stubborn(0, errno.ENOSPC, halves=True)
        book = await play(open_store(tmp_path, disk), Told(), 1)
        calls = disk.calls
        await book.look()
        disk.fails_at = disk.calls + (disk.calls - calls) + 1
        with pytest.raises(UnsavedError, match="No space left") as refusal:
            await book.accept(make_wish(2))
        assert "set aside when the campaign is next" in refusal.value.hint
        await book.close()
        again = await begin(open_store(tmp_path, QUICK))
        assert len(list((tmp_path / CAMPAIGN / "set-aside").glob("*.torn"))) == 1
        await again.accept(make_wish(2))
        await again.close()

    asyncio.run(scene())
