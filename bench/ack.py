"""The two acknowledgements of a turn in the folder store, against a bare append and sync of the same bytes.

What is written has the shape and size of a real turn: the first one of Mist Harbor that a model tells is
played through `turn` once, and its records are written again and again under other names. Pairs are
interleaved, each with another one first. Encoding, locking and looking up are counted on our side; of
hashing, the digest of the records alone is left out.

What is ours is a matter of the processor and does not grow with the disk's time. So it is said as well from
which time of a bare append and sync on the limit would be kept.
"""

import asyncio
import hashlib
import os
import statistics
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from bench.figures import at_most, report
from talewright.chronicle.records import Accepted, Attempt, Commit
from talewright.chronicle.store import Founding, Store
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.memory_store import MemoryStore
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import Stage

PAIRS = 500
"""Pairs that are counted."""

WARM_UP = 20
"""Pairs before that, which are not."""

RATIO_MAX = 1.5
PLAY = PLAYS / "01_harbor_first_turn.yaml"
"""Its last turn is the one that is taken."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The records of one turn, as `turn` made them."""

    accepted: Accepted
    commit: Commit
    attempt: Attempt

    def rename(self, number: int) -> "Turn":
        """The same turn as the nth of a campaign; names are as long as real ones."""
        operation, parent = f"o{number:031}", f"c{number - 1:031}"
        return Turn(
            replace(self.accepted, operation_id=operation, base=parent),
            replace(self.commit, id=f"c{number:031}", parent=parent, version=number, operation_id=operation),
            replace(self.attempt, id=f"a{number:031}", operation_id=operation, base=parent),
        )


@dataclass(slots=True)
class Race:
    """One acknowledgement and its bare counterpart."""

    chronicle: Path
    bare_file: int
    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    digests: list[float] = field(default_factory=list)
    size: int = 0
    """Bytes that were written the last time."""

    async def run(self, bare_first: bool, call: Coroutine[None, None, object]) -> None:
        """Both of a pair, one after the other."""
        if bare_first and self.size:
            self._append()
        before = self.chronicle.stat().st_size
        begin = perf_counter()
        await call
        self.ours.append(perf_counter() - begin)
        self.size = self.chronicle.stat().st_size - before
        if len(self.bare) < len(self.ours):
            self._append()

    def _append(self) -> None:
        data = b"x" * (self.size - 1) + b"\n"
        begin = perf_counter()
        os.write(self.bare_file, data)
        os.fdatasync(self.bare_file)
        self.bare.append(perf_counter() - begin)
        begin = perf_counter()
        hashlib.sha256(data).digest()
        self.digests.append(perf_counter() - begin)

    def compare(self, name: str) -> float:
        """Print the absolute values; how many times the bare one ours takes."""
        ours, bare, digest = (
            statistics.median(times[WARM_UP:]) * 1e3 for times in (self.ours, self.bare, self.digests)
        )
        print(f"  {name}: {self.size} bytes, {ours:.4f} ms, of it {digest:.4f} ms for the digest")
        print(f"  {name}: {bare:.4f} ms for a bare append and sync")
        own = ours - digest - bare
        print(
            f"  {name}: {own:.4f} ms are our own; {RATIO_MAX} is kept from {own / (RATIO_MAX - 1):.3f} ms on"
        )
        return (ours - digest) / bare


async def play_turn() -> Turn:
    """Play the turn that all others are copies of."""
    store = MemoryStore()

    async def reopen() -> Store:
        return store

    stage = Stage(read_play(PLAY), reopen)
    await stage.perform()
    *_, accepted, commit, attempt = [record async for record in (await stage.book()).records()]
    assert isinstance(accepted, Accepted)
    assert isinstance(commit, Commit)
    assert isinstance(attempt, Attempt)
    return Turn(accepted, commit, attempt)


async def measure(folder: Path) -> tuple[Race, Race]:
    """Take turns, each acknowledgement beside its bare counterpart."""
    played = await play_turn()
    root = replace(played.rename(0).commit, parent="", body={"format": 2})
    book = await FolderStore(folder, git=False).found(Founding("bench", root, bytes(32)))
    file = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    accepting, committing = (Race(folder / "bench" / "chronicle.jsonl", file) for _ in range(2))
    for number in range(1, WARM_UP + PAIRS + 1):
        turn = played.rename(number)
        await accepting.run(number % 2 == 0, book.accept(turn.accepted))
        await committing.run(number % 2 == 0, book.commit(turn.commit, turn.attempt))
    os.close(file)
    await book.close()
    return accepting, committing


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        accepting, committing = asyncio.run(measure(Path(folder)))
    return report(
        [
            at_most("ack_accepted_vs_append", accepting.compare("accepted"), RATIO_MAX),
            at_most("ack_committed_vs_append", committing.compare("committed"), RATIO_MAX),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
