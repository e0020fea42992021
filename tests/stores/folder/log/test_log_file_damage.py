"""Torn and damaged chronicles: what is torn is set aside, what is broken is never believed or overwritten."""

import asyncio
import random
import shutil
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import StoreNotice, StoreNoticeKind
from talewright.chronicle.records import Commit, Record
from talewright.chronicle.store import BlobKind, DamagedError
from tests.stores.sessions import (
    CAMPAIGN,
    find_frames,
    make_try,
    make_turn,
    make_wish,
    open_store,
    read_all,
    write_turns,
)
from tests.sweep.store_damage import CHUNK, FULL_COUNT, Ruin, choose_bytes, run

TURNS = 6
SEED = 3


@pytest.fixture
def ruin(tmp_path: Path) -> Ruin:
    """A campaign of a few turns that is about to suffer."""
    return Ruin.make(tmp_path, TURNS)


def test_flipped_bits_are_found() -> None:
    print(f"seed {SEED}")
    assert run(160, SEED) == 160


def test_the_full_count_flips_every_byte_with_and_without_an_index() -> None:
    size = 21_364
    chunks = [choose_bytes(CHUNK, 20_260_101 + number, size) for number in range(FULL_COUNT // CHUNK)]
    chosen = {case for chunk in chunks for case in chunk}
    assert chosen == {(at, indexed) for at in range(size) for indexed in (True, False)}


@pytest.mark.parametrize("indexed", [True, False], ids=["index", "no index"])
def test_truncation_at_every_byte_of_the_last_record(ruin: Ruin, indexed: bool) -> None:
    earlier = range(ruin.bounds[-4], ruin.bounds[-2], 10)
    for end in (*earlier, *range(ruin.bounds[-2], ruin.bounds[-1])):
        ruin.restore(indexed=indexed)
        ruin.write(ruin.good[:end])
        asyncio.run(expect_torn(ruin, end))


async def expect_torn(ruin: Ruin, end: int) -> None:
    """The campaign opens with every whole frame, and what is left of the torn one is kept."""
    whole = max(bound for bound in ruin.bounds if bound <= end)
    book = await open_store(ruin.place).open(CAMPAIGN)
    outlook = await book.look()
    assert outlook.damage is None
    assert ruin.chronicle.read_bytes() == ruin.good[:whole]
    records = ruin.records[: ruin.bounds.index(whole)]
    assert await read_all(book) == records
    assert len(book.notices) == 1
    assert "saves recover harbor" in book.notices[0]
    assert outlook.notices == (StoreNotice(StoreNoticeKind.SHORTER, book.notices[0]),)
    kept = [path.read_bytes() for path in (ruin.folder / "set-aside").glob("*.torn")]
    assert kept == ([ruin.good[whole:end]] if whole < end else [])
    # The story goes on where it stands: the last turn is taken again.
    await book.accept(make_wish(TURNS))
    turn = await book.commit(make_turn(TURNS), make_try(TURNS))
    assert (await book.branches()) == {"main": turn.id}
    assert turn.sequence == TURNS
    await book.close()


def test_zeros_at_the_end_and_in_the_middle(ruin: Ruin) -> None:
    random_place = random.Random(SEED)
    good, size = ruin.good, len(ruin.good)
    cases = [good + b"\0", good + bytes(5000), bytes(size)]
    for _ in range(40):
        begin = random_place.randrange(size)
        end = min(size, begin + random_place.choice([1, 16, 512, size]))
        cases.append(good[:begin] + bytes(end - begin) + good[end:])
    for data in cases:
        for indexed in (True, False):
            ruin.restore(indexed=indexed)
            ruin.write(data)
            asyncio.run(ruin.expect_damage(data))


def test_doubled_missing_and_exchanged_lines_are_damage(ruin: Ruin) -> None:
    lines = ruin.good.splitlines(keepends=True)
    for at in range(1, len(lines) - 1):
        doubled = b"".join([*lines[:at], lines[at - 1], *lines[at:]])
        missing = b"".join(lines[:at] + lines[at + 1 :])
        exchanged = b"".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
        for data in (doubled, missing, exchanged):
            ruin.restore(indexed=at % 2 == 0)
            ruin.write(data)
            asyncio.run(ruin.expect_damage(data))


def test_an_empty_or_beheaded_chronicle_is_damage_at_its_beginning(ruin: Ruin) -> None:
    for data in (b"", ruin.good[:50], b"x" + ruin.good):
        ruin.restore(indexed=True)
        ruin.write(data)

        async def look() -> tuple[str, str]:
            book = await open_store(ruin.place).open(CAMPAIGN)
            damage = (await book.look()).damage
            with pytest.raises(DamagedError, match="read-only") as refusal:
                await book.accept(make_wish(1))
            assert "saves recover harbor" in refusal.value.hint
            await book.close()
            assert damage is not None
            return damage.place, damage.last_good

        assert asyncio.run(look()) == ("chronicle.jsonl, byte 0", "")
        assert ruin.chronicle.read_bytes() == data


def test_a_missing_chronicle_is_damage_and_listed(ruin: Ruin) -> None:
    ruin.chronicle.unlink()
    with pytest.raises(DamagedError, match="has no chronicle any more"):
        asyncio.run(open_store(ruin.place).open(CAMPAIGN))
    (listing,) = asyncio.run(open_store(ruin.place).campaigns())
    assert (listing.campaign, listing.about, listing.damaged) == (CAMPAIGN, {"title": "Harbor"}, True)


def test_damage_while_a_campaign_is_open_stops_its_writes(ruin: Ruin) -> None:
    async def scene() -> None:
        book = await open_store(ruin.place).open(CAMPAIGN)
        data = ruin.flip(ruin.bounds[4] + 120)
        ruin.write(data)
        with pytest.raises(DamagedError):
            await read_all(book)
        await ruin.expect_refusals(book)
        await book.close()
        again = await open_store(ruin.place).open(CAMPAIGN)
        assert (await again.look()).damage is not None
        await again.close()
        (listing,) = await open_store(ruin.place).campaigns()
        assert listing.damaged
        assert ruin.chronicle.read_bytes() == data

    asyncio.run(scene())


def test_a_chronicle_that_becomes_shorter_while_open_is_damage(ruin: Ruin) -> None:
    async def scene() -> None:
        book = await open_store(ruin.place).open(CAMPAIGN)
        ruin.write(ruin.good[: ruin.bounds[-3]])
        damage = (await book.look()).damage
        assert damage is not None
        assert damage.reason == "the file was truncated while the campaign was open"
        assert damage.last_good == f"c{TURNS - 1}"
        await ruin.expect_refusals(book)
        await book.close()

    asyncio.run(scene())


@pytest.mark.parametrize("how", ["missing", "empty", "foreign", "garbage", "ahead", "folder"])
def test_an_index_that_does_not_fit_is_made_again(ruin: Ruin, how: str, tmp_path: Path) -> None:
    async def scene() -> None:
        index = ruin.folder / "index.bin"
        index.unlink()
        match how:
            case "empty":
                index.write_bytes(b"")
            case "foreign":
                # Turns of the same names and sizes: only the chain tells the campaigns apart.
                await write_turns(tmp_path / "other", TURNS, "Hobart")
                shutil.copy(tmp_path / "other" / CAMPAIGN / "index.bin", index)
            case "garbage":
                index.write_bytes(random.Random(SEED).randbytes(5000))
            case "ahead":
                index.write_bytes(ruin.index)
                ruin.write(ruin.good[: ruin.bounds[-4]])
            case "folder":
                index.mkdir()
            case _:
                assert how == "missing"
        book = await open_store(ruin.place).open(CAMPAIGN)
        turns = TURNS - 1 if how == "ahead" else TURNS
        assert (await book.branches()) == {"main": f"c{turns}"}
        assert (await book.find("o2")).commit == make_committed(ruin.records, "c2")
        assert (await book.find(f"o{TURNS + 1}")).accepted is None
        await book.close()

    asyncio.run(scene())


def make_committed(records: list[Record], commit: str) -> Commit:
    """A commit as it was written."""
    return next(record for record in records if isinstance(record, Commit) and record.id == commit)


def test_any_byte_of_the_index_may_be_damaged(ruin: Ruin) -> None:
    async def scene(book_open: bool, at: int) -> None:
        book = await open_store(ruin.place).open(CAMPAIGN) if book_open else None
        damaged = bytearray(ruin.index)
        damaged[at] ^= 1 << at % 8
        (ruin.folder / "index.bin").write_bytes(damaged)
        book = book or await open_store(ruin.place).open(CAMPAIGN)
        line = await book.back(f"c{TURNS}", 99)
        assert line == tuple(record for record in reversed(ruin.records) if isinstance(record, Commit))
        for number in range(1, TURNS + 1):
            assert (await book.find(f"o{number}")).commit == line[TURNS - number]
        assert (await book.find("nothing")).commit is None
        await book.close()

    for at in range(0, len(ruin.index), 23):
        ruin.restore(indexed=True)
        asyncio.run(scene(at % 2 == 0, at))


def test_exchanged_and_damaged_files_on_the_shelves_are_set_aside(ruin: Ruin) -> None:
    async def scene() -> None:
        book = await open_store(ruin.place).open(CAMPAIGN)
        await book.keep(BlobKind.SNAPSHOT, "c1", {"state": 1})
        await book.keep(BlobKind.SNAPSHOT, "c2", {"state": 2})
        await book.keep(BlobKind.GAME, "c1", {"game": 1})
        one, two = (ruin.folder / "snapshots" / f"c{number}.json" for number in (1, 2))
        game = ruin.folder / "games" / "c1.json"
        first, second = one.read_bytes(), two.read_bytes()
        for wrong in (second, game.read_bytes(), first[:-3], b"", first + b" ", first.replace(b"1", b"3", 1)):
            one.write_bytes(wrong)
            assert await book.kept(BlobKind.SNAPSHOT, "c1") is None
            assert not one.exists()
            assert any(path.read_bytes() == wrong for path in (ruin.folder / "set-aside").iterdir())
            await book.keep(BlobKind.SNAPSHOT, "c1", {"state": 1})
            assert one.read_bytes() == first
        assert await book.kept(BlobKind.SNAPSHOT, "c2") == {"state": 2}
        secret = ruin.folder / "secret"
        assert secret.stat().st_mode & 0o777 == 0o600
        for wrong in (b"", b"00\n", secret.read_bytes().replace(b"0", b"1", 1), b"\xff"):
            secret.chmod(0o600)
            secret.write_bytes(wrong)
            with pytest.raises(DamagedError, match="secret of the campaign 'harbor'"):
                await book.secret()
        await book.close()

    asyncio.run(scene())


def test_two_chronicles_that_were_exchanged_are_never_mixed(ruin: Ruin, tmp_path: Path) -> None:
    async def scene() -> None:
        records = await write_turns(tmp_path / "other", 3)
        (tmp_path / "other" / CAMPAIGN / "chronicle.jsonl").replace(ruin.chronicle)
        book = await open_store(ruin.place).open(CAMPAIGN)
        assert await read_all(book) == records
        assert (await book.branches()) == {"main": "c3"}
        assert (await book.find("o5")).commit is None
        await book.close()

    asyncio.run(scene())


def test_find_frames_knows_the_frames(ruin: Ruin) -> None:
    assert len(find_frames(ruin.good)) == len(ruin.records) + 1 == 3 * TURNS + 2
