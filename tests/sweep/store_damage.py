"""A flipped bit in every byte of a chronicle of 30 turns, with an index and without, on the folder store.

Each time: the damage is found, named and refused; everything before it can be read; no byte is altered.
"""

import asyncio
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.chronicle.records import Aside, Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import CampaignBook, DamagedError
from tests.stores.sessions import (
    CAMPAIGN,
    find_frames,
    make_try,
    make_turn,
    make_wish,
    open_store,
    write_turns,
)
from tests.sweep.parts import Progress

TURNS = 30

CHUNK = 1_000

FULL_COUNT = 44_000
"""Two for each byte of the file, one with an index and one without; a run checks that it suffices."""


@dataclass(slots=True)
class Ruin:
    """A campaign that is damaged again and again, and what it was before."""

    place: Path
    good: bytes
    index: bytes
    records: list[Record]
    bounds: list[int]
    """Where the frames begin, and where the last ends."""

    @classmethod
    def make(cls, place: Path, turns: int) -> "Ruin":
        """A campaign of some turns."""
        records = asyncio.run(write_turns(place, turns))
        good = (place / CAMPAIGN / "chronicle.jsonl").read_bytes()
        index = (place / CAMPAIGN / "index.bin").read_bytes()
        return cls(place, good, index, records, find_frames(good))

    @property
    def folder(self) -> Path:
        """The campaign's folder."""
        return self.place / CAMPAIGN

    @property
    def chronicle(self) -> Path:
        """The campaign's chronicle."""
        return self.folder / "chronicle.jsonl"

    def restore(self, *, indexed: bool) -> None:
        """Make everything good again."""
        self.write(self.good)
        index = self.folder / "index.bin"
        if indexed:
            overwrite(index, self.index)
        else:
            index.unlink(missing_ok=True)
        for path in (self.folder / "set-aside").glob("*"):
            path.unlink()

    def write(self, data: bytes) -> None:
        """Alter the file in its place, as a bad disk does."""
        overwrite(self.chronicle, data)

    def flip(self, at: int, bit: int = 0) -> bytes:
        """The chronicle with one bit flipped."""
        data = bytearray(self.good)
        data[at] ^= 1 << bit
        return bytes(data)

    async def expect_damage(self, data: bytes) -> None:
        """The damage is found at the first byte of the first bad frame, at the latest when all is read."""
        whole = next((n for n, bound in enumerate(self.bounds) if data[:bound] != self.good[:bound]), 0)
        whole = (whole or len(self.bounds)) - 1
        good = self.records[:whole]
        commits = [record for record in good if isinstance(record, Commit)]
        book = await open_store(self.place).open(CAMPAIGN)
        read: list[Record] = []
        with pytest.raises(DamagedError):
            await read_into(read, book)
        assert read == good
        damage = (await book.look()).damage
        assert damage is not None
        assert damage.place == f"chronicle.jsonl, byte {self.bounds[whole]}"
        assert damage.last_good == (commits[-1].id if commits else "")
        if commits:
            assert await book.back(damage.last_good, 99) == tuple(reversed(commits))
        await self.expect_refusals(book)
        await book.close()
        assert self.chronicle.read_bytes() == data

    async def expect_refusals(self, book: CampaignBook) -> None:
        """Nothing is written behind damage."""
        last = self.records[-1].at
        for write in (
            book.accept(make_wish(1)),
            book.commit(make_turn(1), make_try(1)),
            book.add(Aside("x", "c0", last)),
            book.point(Pointing(PointerKind.MARK, "m", "c0", last)),
        ):
            with pytest.raises(DamagedError) as refusal:
                await write
            assert "talewright saves recover" in refusal.value.hint
        with pytest.raises(DamagedError):
            await book.read("never written")


async def read_into(found: list[Record], book: CampaignBook) -> None:
    """Read all records, and keep those read before an error."""
    async for record in book.records():
        found.append(record)


def overwrite(path: Path, data: bytes) -> None:
    """Give a file other bytes; some systems wait for the disk where it is emptied first."""
    path.touch()
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()


def choose_bytes(count: int, seed: int, size: int) -> list[tuple[int, bool]]:
    """Which bytes a run flips, and whether there is an index.

    Chunks have consecutive seeds, and each takes up where the one before it ends: together they go through
    the file without a gap. A run of less than a chunk takes bytes from all over its stretch of the file.
    """
    begin = seed * (CHUNK // 2)
    step = max(1, size // max(1, count // 2)) if count < CHUNK else 1
    return [((begin + number // 2 * step) % size, number % 2 == 0) for number in range(count)]


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Flip one bit, chosen by the seed, in each of the bytes of this run."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        ruin = Ruin.make(Path(folder), TURNS)
        assert 2 * len(ruin.good) <= FULL_COUNT, "the full count leaves bytes out"
        for at, indexed in choose_bytes(count, seed, len(ruin.good)):
            bit = chance.randrange(8)
            data = ruin.flip(at, bit)
            ruin.restore(indexed=indexed)
            ruin.write(data)
            try:
                asyncio.run(ruin.expect_damage(data))
            except AssertionError as error:
                raise AssertionError(f"byte {at}, bit {bit}, indexed {indexed}: {error}") from error
            if progress:
                progress(1)
    return count
