"""Reading a campaign whose damage is met by chance, and records that nobody can read."""

import asyncio
import json
from pathlib import Path

import pytest

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, frame, read_frame
from talewright.chronicle.records import PointerKind, Pointing
from talewright.chronicle.store import BlobKind, DamagedError, NewerFormatError, UnsavedError
from tests.stores.sessions import (
    CAMPAIGN,
    QuickDisk,
    Told,
    begin,
    find_frames,
    make_wish,
    open_store,
    play,
    read_all,
)
from tests.sweep.store_damage import Ruin

TURNS = 6


@pytest.fixture
def ruin(tmp_path: Path) -> Ruin:
    """A campaign of a few turns that is about to suffer."""
    return Ruin.make(tmp_path, TURNS)


def append_frame(chronicle: Path, record: bytes) -> int:
    """Write a frame that fits the chain, whatever it says; where it begins."""
    data = chronicle.read_bytes()
    chain = GENESIS
    for offset in find_frames(data)[:-1]:
        found = read_frame(data, offset, chain)
        assert isinstance(found, RecordFrame)
        chain = found.chain
    with chronicle.open("ab") as file:
        file.write(frame(chain, record).line)
    return len(data)


def test_a_damaged_commit_is_found_when_it_is_read(ruin: Ruin) -> None:
    async def scene() -> None:
        ruin.write(ruin.flip(ruin.bounds[8] + 150))
        book = await open_store(ruin.place).open(CAMPAIGN)
        assert (await book.look()).damage is None
        assert (await book.read(f"c{TURNS}")).id == f"c{TURNS}"
        with pytest.raises(DamagedError, match=f"byte {ruin.bounds[8]}: the hash does not match"):
            await book.back(f"c{TURNS}", 99)
        outlook = await book.look()
        assert outlook.damage is not None
        assert outlook.damage.last_good == "c2"
        assert (outlook.branch, outlook.head) == ("main", "c2")
        assert [wish.operation_id for wish in outlook.waiting] == ["o3"]
        assert [commit.id for commit in await book.back("c2", 9)] == ["c2", "c1", "c0"]
        with pytest.raises(DamagedError):
            await book.read(f"c{TURNS}")
        await ruin.expect_refusals(book)
        await book.close()

    asyncio.run(scene())


def test_a_damaged_input_is_found_when_it_is_looked_for(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await play(open_store(tmp_path), Told(), 2)
        await book.accept(make_wish(3))
        await book.point(Pointing(PointerKind.MARK, "after", "c2", "t3"))
        await book.close()
        chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
        data = bytearray(chronicle.read_bytes())
        at = find_frames(bytes(data))[-3]
        data[at + 120] ^= 1
        chronicle.write_bytes(data)
        book = await begin(open_store(tmp_path))
        outlook = await book.look()
        assert outlook.damage is not None
        assert outlook.damage.place == f"chronicle.jsonl, byte {at}"
        assert outlook.waiting == ()
        assert "after" not in await book.marks()
        await book.close()

    asyncio.run(scene())


def test_a_record_that_nobody_can_read_is_damage(ruin: Ruin) -> None:
    async def scene() -> None:
        at = append_frame(ruin.chronicle, b'{"kind":"riddle"}')
        book = await open_store(ruin.place).open(CAMPAIGN)
        damage = (await book.look()).damage
        assert damage is not None
        assert damage.place == f"chronicle.jsonl, byte {at}"
        assert "'riddle' is not a kind of record" in damage.reason
        with pytest.raises(DamagedError):
            await read_all(book)
        await book.close()
        (listing,) = await open_store(ruin.place).campaigns()
        assert listing.damaged

    asyncio.run(scene())


def test_a_record_of_a_later_version_is_told_and_left_alone(ruin: Ruin) -> None:
    async def scene() -> None:
        book = await open_store(ruin.place).open(CAMPAIGN)
        append_frame(ruin.chronicle, b'{"format":99,"kind":"accepted"}')
        data = ruin.chronicle.read_bytes()
        with pytest.raises(NewerFormatError):
            await book.look()
        with pytest.raises(NewerFormatError):
            await open_store(ruin.place).open(CAMPAIGN)
        with pytest.raises(NewerFormatError):
            await book.accept(make_wish(TURNS + 1))
        await book.close()
        assert ruin.chronicle.read_bytes() == data

    asyncio.run(scene())


@pytest.mark.parametrize(("body", "error"), [({"format": 99}, NewerFormatError), ({"format": "x"}, None)])
def test_a_first_record_of_another_form(
    tmp_path: Path, body: dict[str, object], error: type[Exception] | None
) -> None:
    async def scene() -> None:
        (tmp_path / CAMPAIGN).mkdir()
        first = frame(GENESIS, json.dumps({"kind": "commit", "body": body}).encode())
        (tmp_path / CAMPAIGN / "chronicle.jsonl").write_bytes(first.line)
        if error is not None:
            with pytest.raises(error):
                await open_store(tmp_path).open(CAMPAIGN)
            return
        book = await open_store(tmp_path).open(CAMPAIGN)
        damage = (await book.look()).damage
        assert damage is not None
        assert (damage.place, damage.last_good) == ("chronicle.jsonl, byte 0", "")
        await book.close()

    asyncio.run(scene())


def test_a_listing_shows_damage_at_the_end_of_a_chronicle(ruin: Ruin) -> None:
    for tail, damaged in ((b"garbage\n", True), (b'{"chain":"', False), (b"", False)):
        ruin.write(ruin.good + tail)
        (listing,) = asyncio.run(open_store(ruin.place).campaigns())
        assert (listing.at, listing.damaged) == (f"t{TURNS}", damaged)
    ruin.write(ruin.good[:-1])
    (listing,) = asyncio.run(open_store(ruin.place).campaigns())
    assert listing.damaged


def test_a_disk_that_cannot_be_read_is_told(ruin: Ruin) -> None:
    class Blind(QuickDisk):
        blind = False

        def read(self, file: int, size: int, offset: int) -> bytes:
            if self.blind:
                raise OSError(5, "Input/output error")
            return super().read(file, size, offset)

    async def scene() -> None:
        disk = Blind()
        book = await open_store(ruin.place, disk).open(CAMPAIGN)
        await book.keep(BlobKind.SNAPSHOT, "An odd name / of 雾", {"a": 1})
        assert await book.kept(BlobKind.SNAPSHOT, "An odd name / of 雾") == {"a": 1}
        disk.blind = True
        with pytest.raises(UnsavedError, match="Input/output error"):
            await book.read("c2")
        with pytest.raises(DamagedError, match="Input/output error"):
            await book.secret()
        assert await book.kept(BlobKind.SNAPSHOT, "An odd name / of 雾") is None
        with pytest.raises(UnsavedError, match="Input/output error"):
            await open_store(ruin.place, disk).open(CAMPAIGN)
        disk.blind = False
        assert (await book.read("c2")).id == "c2"
        await book.close()

    asyncio.run(scene())
