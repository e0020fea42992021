"""Recovery: every good frame that the damaged file or git holds is kept, and the damaged file as well."""

import asyncio
import random
from pathlib import Path

import pytest

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, read_frame
from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.records import Record
from talewright.chronicle.store import DamagedError, UnknownCampaignError, UnsavedError
from talewright.stores.folder import log_recovery
from talewright.stores.folder.log_recovery import LogRecovery, recover_in_words, recover_log
from talewright.stores.folder.pages.git_history import GitChroniclePart, GitError
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    QuickDisk,
    Told,
    begin,
    find_frames,
    open_store,
    play,
    read_all,
    write_turns,
)

TURNS = 4
SEED = 5


async def write_story(place: Path, *, told_to_git: int) -> bytes:
    """A campaign whose first turns git knows; its chronicle."""
    for number in range(1, TURNS + 1):
        book = await play(open_store(place, git=True), Told(), number)
        if number <= told_to_git:
            await book.project(PageProjection(f"c{number}", f"Turn {number}", {"state.json": f"{number}\n"}))
        await book.close()
    return (place / CAMPAIGN / "chronicle.jsonl").read_bytes()


async def read_place(place: Path) -> tuple[list[Record], bool]:
    """All records of the campaign, and whether it is damaged."""
    book = await begin(open_store(place))
    damaged = (await book.look()).damage is not None
    try:
        return await read_all(book), damaged
    except DamagedError:
        return [], True
    finally:
        await book.close()


def damage(place: Path, data: bytes) -> Path:
    """Give the campaign another chronicle, as a bad disk does."""
    chronicle = place / CAMPAIGN / "chronicle.jsonl"
    chronicle.write_bytes(data)
    return chronicle


def flip(data: bytes, at: int) -> bytes:
    """The bytes with one bit flipped."""
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


def run(place: Path, *, git: bool = True) -> LogRecovery:
    """Recover the campaign."""
    return recover_log(place / CAMPAIGN, disk=QUICK, git=git)


@pytest.mark.process
def test_a_hole_is_filled_from_git_and_the_rest_taken_from_the_file(tmp_path: Path) -> None:
    good = asyncio.run(write_story(tmp_path, told_to_git=3))
    records, _ = asyncio.run(read_place(tmp_path))
    bounds = find_frames(good)
    bad = flip(good, bounds[6] + 100)
    chronicle = damage(tmp_path, bad)
    found = run(tmp_path)
    assert chronicle.read_bytes() == good
    assert (found.campaign, found.records, found.from_git) == (CAMPAIGN, len(records), 1)
    assert (found.newest, found.lost_bytes, found.lost_lines) == (f"c{TURNS}", 0, 0)
    assert found.notices == ()
    assert (tmp_path / CAMPAIGN / found.set_aside).read_bytes() == bad
    assert asyncio.run(read_place(tmp_path)) == (records, False)
    (listing,) = asyncio.run(open_store(tmp_path).campaigns())
    assert (listing.damaged, dict(listing.about)) == (False, {"title": "Harbor"})
    assert run(tmp_path).set_aside == ""


@pytest.mark.process
def test_a_campaign_that_was_listed_as_damaged_is_listed_as_good_again(tmp_path: Path) -> None:
    good = asyncio.run(write_story(tmp_path, told_to_git=TURNS))
    damage(tmp_path, flip(good, find_frames(good)[6] + 100))
    # Whoever opens it finds the damage, and campaign.json keeps that.
    assert asyncio.run(read_place(tmp_path)) == ([], True)
    assert [one.damaged for one in asyncio.run(open_store(tmp_path).campaigns())] == [True]
    run(tmp_path)
    assert [one.damaged for one in asyncio.run(open_store(tmp_path).campaigns())] == [False]


@pytest.mark.process
@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
def test_without_help_the_good_beginning_is_kept(tmp_path: Path, git: bool) -> None:
    good = asyncio.run(write_story(tmp_path, told_to_git=0))
    records, _ = asyncio.run(read_place(tmp_path))
    bounds = find_frames(good)
    bad = flip(good, bounds[7] + 100)
    chronicle = damage(tmp_path, bad)
    found = run(tmp_path, git=git)
    assert chronicle.read_bytes() == good[: bounds[7]]
    assert (found.records, found.from_git) == (7, 0)
    assert found.lost_bytes == len(good) - bounds[7]
    assert found.lost_lines == len(records) - 7
    assert (tmp_path / CAMPAIGN / found.set_aside).read_bytes() == bad
    assert (len(found.notices) == 1) is git
    assert asyncio.run(read_place(tmp_path)) == (records[:7], False)

    async def go_on() -> None:
        told = Told()
        book = await play(open_store(tmp_path, git=True), told, TURNS)
        await book.project(PageProjection(f"c{TURNS}", "On", {}))
        assert book.notices == ()
        await told.check(book, whole=False)
        await book.close()

    asyncio.run(go_on())


@pytest.mark.process
def test_random_damage_never_costs_a_frame_that_git_holds(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    good = asyncio.run(write_story(tmp_path, told_to_git=TURNS))
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(bad))
            bad[at : at + chance.randint(1, 300)] = chance.randbytes(chance.choice([0, 1, 300]))
        chronicle = damage(tmp_path, bytes(bad[: chance.randint(1, len(bad))]))
        run(tmp_path)
        assert chronicle.read_bytes() == good


@pytest.mark.process
def test_a_chronicle_that_is_gone_comes_back_from_git(tmp_path: Path) -> None:
    good = asyncio.run(write_story(tmp_path, told_to_git=TURNS))
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    chronicle.unlink()
    (tmp_path / CAMPAIGN / "campaign.json").write_text("{")
    found = run(tmp_path)
    assert chronicle.read_bytes() == good
    assert found.from_git == found.records
    assert found.set_aside == ""
    (listing,) = asyncio.run(open_store(tmp_path).campaigns())
    assert (listing.damaged, dict(listing.about)) == (False, {"title": "Harbor"})


@pytest.mark.process
def test_after_a_recovery_that_lost_turns_git_is_told_the_new_ones(tmp_path: Path) -> None:
    async def scene() -> None:
        good = await write_story(tmp_path, told_to_git=2)
        bounds = find_frames(good)
        # Git holds two turns; the file is good for one. The recovery is told to do without git.
        damage(tmp_path, flip(good, bounds[6] + 90))
        run(tmp_path, git=False)
        book = await begin(open_store(tmp_path, git=True), "unused")
        again = await play(open_store(tmp_path, git=True), Told(), TURNS)
        await again.project(PageProjection(f"c{TURNS}", "Again", {}))
        assert again.notices == ()
        await again.close()
        await book.close()
        whole = (tmp_path / CAMPAIGN / "chronicle.jsonl").read_bytes()
        damage(tmp_path, flip(whole, len(whole) // 2))
        run(tmp_path)
        assert (tmp_path / CAMPAIGN / "chronicle.jsonl").read_bytes() == whole

    asyncio.run(scene())


def test_a_book_that_is_open_during_a_recovery_goes_on_with_the_new_file(tmp_path: Path) -> None:
    async def scene() -> None:
        records = await write_turns(tmp_path, 3)
        book = await begin(open_store(tmp_path))
        chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
        good = chronicle.read_bytes()
        bounds = find_frames(good)
        damage(tmp_path, flip(good, bounds[8] + 90))
        # It is told where the damage is, though the book was open before it.
        with pytest.raises(DamagedError, match=r"is damaged .* and read-only"):
            await read_all(book)
        assert (await book.look()).damage is not None
        run(tmp_path)
        assert await read_all(book) == records[:8]
        assert (await book.look()).damage is None
        assert (await book.look()).waiting != ()
        await book.close()

    asyncio.run(scene())


class KeptPart:
    """Git, as far as a recovery uses it; it holds one part of the chronicle."""

    def __init__(self, good: bytes, begin: int, end: int) -> None:
        chain, at = GENESIS, 0
        while at < end:
            frame = read_frame(good, at, chain)
            assert isinstance(frame, RecordFrame)
            chain, at = frame.chain, at + frame.size
        self.part = GitChroniclePart(begin, end, chain)
        self.data = good[begin:end]

    def parts(self) -> list[GitChroniclePart]:
        return [self.part]

    def read_part(self, part: GitChroniclePart) -> bytes:
        assert part is self.part
        return self.data

    def read_page(self, path: str) -> bytes:
        raise GitError("there are no pages")


def test_words_say_what_came_from_git_and_that_nothing_is_left_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = asyncio.run(write_turns(tmp_path, 3))
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    good = chronicle.read_bytes()
    bounds = find_frames(good)
    git = KeptPart(good, bounds[3], bounds[6])
    monkeypatch.setattr(log_recovery, "GitHistory", lambda layout: git)
    damage(tmp_path, flip(flip(good, bounds[4] + 90), bounds[5] + 90))
    assert list(recover_in_words(tmp_path / CAMPAIGN)) == [
        f"harbor has {len(records)} valid records, 2 of them from git.",
        "The damaged file was saved as set-aside/1-chronicle.jsonl.",
        "To continue: talewright play --campaign harbor",
    ]
    assert chronicle.read_bytes() == good
    intact = f"harbor is intact: {len(records)} records, nothing to recover."
    assert list(recover_in_words(tmp_path / CAMPAIGN)) == [intact]


def test_words_say_what_is_lost(tmp_path: Path) -> None:
    records = asyncio.run(write_turns(tmp_path, 3))
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    good = chronicle.read_bytes()
    bounds = find_frames(good)
    # Half of a record, without the end of its line.
    damage(tmp_path, good[: bounds[-3] + 90])
    words = list(recover_in_words(tmp_path / CAMPAIGN))
    assert words[0] == f"harbor has {len(records) - 2} valid records."
    assert "90 bytes, about 1 records, could not be recovered." in words
    lost = f"It once had {len(records)} records; the newest are lost"
    assert [line for line in words if line.startswith(lost)]


def test_what_cannot_be_recovered_is_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownCampaignError):
        run(tmp_path)
    good = asyncio.run(write_story(tmp_path, told_to_git=0))
    bad = flip(good, 100)
    chronicle = damage(tmp_path, bad)
    with pytest.raises(DamagedError, match="nothing of the campaign 'harbor' can be recovered"):
        run(tmp_path)
    assert chronicle.read_bytes() == bad
    assert not list((tmp_path / CAMPAIGN).glob("*.new"))


def test_a_card_without_git_is_told(tmp_path: Path) -> None:
    asyncio.run(write_turns(tmp_path, 2))
    card = tmp_path / CAMPAIGN / "campaign.json"
    card.write_bytes(card.read_bytes().replace(b"Harbor", b"Hobart"))
    (listing,) = asyncio.run(open_store(tmp_path).campaigns())
    assert (listing.damaged, dict(listing.about)) == (True, {})
    found = run(tmp_path, git=False)
    assert found.notices == ("campaign.json was damaged: the campaign's description is unknown",)
    (listing,) = asyncio.run(open_store(tmp_path).campaigns())
    assert not listing.damaged


@pytest.mark.process
def test_a_disk_that_refuses_leaves_the_damaged_file(tmp_path: Path) -> None:
    class Refusing(QuickDisk):
        def __init__(self, fails_at: int) -> None:
            self.left = fails_at

        def write(self, file: int, data: bytes | memoryview) -> int:
            self.left -= 1
            if self.left == 0:
                raise OSError(28, "No space left on device")
            return super().write(file, data)

        def replace(self, source: Path, target: Path) -> None:
            self.write(-1, b"") if self.left == 1 else super().replace(source, target)

    good = asyncio.run(write_story(tmp_path, told_to_git=TURNS))
    bad = flip(good, len(good) // 2)
    chronicle = damage(tmp_path, bad)
    for fails_at in range(1, 200):
        try:
            recover_log(tmp_path / CAMPAIGN, disk=Refusing(fails_at))
        except UnsavedError:
            assert chronicle.read_bytes() in (bad, good)
        else:
            break
    assert chronicle.read_bytes() == good
