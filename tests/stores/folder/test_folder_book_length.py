"""Length: opening a long campaign and taking a turn reads as much as in a short one."""

import asyncio
from pathlib import Path

from talewright.chronicle.records import MAIN, Accepted, Attempt, AttemptVerdict, Commit, Json
from talewright.chronicle.store import CampaignBook
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.folder.log.record_index import BATCH_FRAMES
from talewright.testing.store_checks.store_fixtures import make_attempt, make_founding, make_input, make_turn
from tests.stores.sessions import QuickDisk, begin, open_store

WINDOW = 20
"""Commits that a turn reads back."""

BODY: dict[str, Json] = {"narration": "The bell counts on. " * 200}
"""About 4 KB, as a turn has."""


class CountingDisk(QuickDisk):
    """Counts the bytes that are read."""

    def __init__(self) -> None:
        self.bytes_read = 0
        self.reads = 0

    def read(self, file: int, size: int, offset: int) -> bytes:
        """Bytes, counted."""
        data = super().read(file, size, offset)
        self.bytes_read += len(data)
        self.reads += 1
        return data


async def take_turn(book: CampaignBook) -> None:
    """One turn behind whatever is there."""
    head = await book.read((await book.look(MAIN)).head)
    number = head.version + 1
    operation = f"operation {number:08}"
    await book.accept(Accepted(operation, MAIN, head.id, "on", f"t{number:08}"))
    turn = Commit(f"commit {number:08}", head.id, MAIN, number, operation, f"t{number:08}", "g", "s", BODY)
    attempt = Attempt(f"attempt {number:08}", operation, MAIN, head.id, turn.at, AttemptVerdict.COMMITTED)
    await book.commit(turn, attempt)


async def measure(place: Path, turns: int, *, closed: bool) -> CountingDisk:
    """What opening a campaign of some turns and taking one reads."""
    book = await begin(open_store(place))
    for _ in range(turns):
        await take_turn(book)
    if closed:
        await book.close()
    disk = CountingDisk()
    again = await begin(open_store(place, disk))
    head = (await again.look(MAIN)).head
    assert len(await again.back(head, WINDOW)) == WINDOW
    await take_turn(again)
    await again.close()
    await book.close()
    return disk


def test_bytes_read_do_not_grow_with_the_story(tmp_path: Path) -> None:
    short, long = (asyncio.run(measure(tmp_path / str(turns), turns, closed=True)) for turns in (100, 1_500))
    index = (tmp_path / "1500" / "harbor" / "index.bin").stat().st_size
    assert index < 2_000_000
    print(f"short {short.bytes_read} bytes in {short.reads} reads, long {long.bytes_read} in {long.reads}")
    assert long.bytes_read <= 1.2 * short.bytes_read


def test_after_a_crash_only_the_end_is_read(tmp_path: Path) -> None:
    disk = asyncio.run(measure(tmp_path, 400, closed=False))
    chronicle = (tmp_path / "harbor" / "chronicle.jsonl").stat().st_size
    assert chronicle > 1_000_000
    assert disk.bytes_read < chronicle / 3
    assert BATCH_FRAMES == 64


def test_a_look_after_500_cancelled_inputs_reads_no_more_than_after_none(tmp_path: Path) -> None:
    async def main() -> None:
        disk = CountingDisk()
        book = await FolderStore(tmp_path, git=False, disk=disk).found(make_founding("harbor"))
        root = make_founding("harbor").root
        for count in (0, 500):
            for number in range(count):
                turn = make_turn(root, f"cancelled {number}")
                await book.accept(make_input(turn))
                await book.add(make_attempt(turn, AttemptVerdict.CANCELLED))
            disk.reads = 0
            assert (await book.look()).waiting == ()
            # Of all that was tried since the head moved, the newest is told.
            assert disk.reads == min(count, 1)
        await book.close()

    asyncio.run(main())
