"""Lost records: a chronicle that was cut off never passes for whole, whoever still knows better."""

import asyncio
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from talewright.chronicle.readable_pages import PageProjection, StoreNoticeKind
from talewright.stores.folder.disk import FolderLayout
from talewright.stores.folder.listing_file import ListingFile, LostEnd, encode_listing, parse_listing
from talewright.stores.folder.log.campaign_log import CampaignLog
from talewright.stores.folder.log_recovery import recover_in_words, recover_log
from talewright.stores.folder.lost_records import REWRITTEN, SHORTER, find_lost_end
from talewright.stores.folder.pages.git_history import GitHistory
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    Told,
    find_frames,
    make_try,
    make_turn,
    make_wish,
    open_store,
    play,
)

pytestmark = pytest.mark.process

TURNS = 3

WITNESSES = {
    "campaign.json": ("index.bin", ".git"),
    "index.bin": ("campaign.json", ".git"),
    ".git": ("campaign.json", "index.bin"),
}
"""Each with those that are taken away, so that it alone knows."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of some turns that git knows of, to be copied."""

    async def write(place: Path) -> None:
        for number in range(1, TURNS + 1):
            book = await play(open_store(place, git=True), Told(), number)
            await book.project(PageProjection(f"c{number}", "On", {"state.json": f"{number}\n"}))
            await book.close()

    place = tmp_path_factory.mktemp("made")
    asyncio.run(write(place))
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """The campaign's folder."""
    shutil.copytree(made / CAMPAIGN, tmp_path / CAMPAIGN)
    return tmp_path / CAMPAIGN


def take_away(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        shutil.rmtree(folder / name) if name == ".git" else (folder / name).unlink(missing_ok=True)


def cut(folder: Path, records: int) -> None:
    """Cut the chronicle off behind some records."""
    good = (folder / "chronicle.jsonl").read_bytes()
    (folder / "chronicle.jsonl").write_bytes(good[: find_frames(good)[records]])


async def ask(folder: Path, *, turn: int = 0, git: bool = False) -> tuple[tuple[str, ...], list[str]]:
    """What is known to be lost, and what whoever opens it is told; with a turn more where one is named."""
    book = await open_store(folder.parent, git=git).open(CAMPAIGN)
    if turn:
        await book.accept(make_wish(turn))
        await book.commit(make_turn(turn), make_try(turn))
        await book.project(PageProjection(f"c{turn}", "Otherwise", {"state.json": "otherwise\n"}))
    lost = await book.find_lost()
    told = [one.text for one in (await book.look()).notices if one.kind is StoreNoticeKind.SHORTER]
    await book.close()
    return lost, told


def test_nothing_is_lost_of_what_is_whole(folder: Path) -> None:
    assert asyncio.run(ask(folder)) == ((), [])


@pytest.mark.parametrize("witness", WITNESSES)
def test_every_place_that_knows_better_says_so(folder: Path, witness: str) -> None:
    take_away(folder, WITNESSES[witness])
    good = (folder / "chronicle.jsonl").read_bytes()
    keep = {path: path.read_bytes() for path in folder.glob("*.*") if path.is_file()}
    for records in range(1, len(find_frames(good)) - 1):
        for path, data in keep.items():
            path.write_bytes(data)
        take_away(folder, tuple(name for name in WITNESSES[witness] if name != ".git"))
        cut(folder, records)
        (lost,), told = asyncio.run(ask(folder))
        assert lost.startswith("records are missing: ")
        assert ("git" in lost) is (witness == ".git")
        assert told == ([] if witness == ".git" else [SHORTER.format(CAMPAIGN)])


def test_what_was_once_longer_stays_known_when_the_story_goes_on(folder: Path) -> None:
    take_away(folder, (".git",))
    # One turn is left, and others are taken behind it until the chronicle is longer than ever.
    frames = find_frames((folder / "chronicle.jsonl").read_bytes())
    cut(folder, 6)
    for turn in range(2, 9):
        (lost,), (told,) = asyncio.run(ask(folder, turn=turn))
        assert f"knows of {len(frames) - 1} records" in lost
    assert told == REWRITTEN.format(CAMPAIGN)
    assert (folder / "chronicle.jsonl").stat().st_size > frames[-1]
    assert "not all of them the same" in lost
    # Also where nothing but campaign.json is left to know it.
    (folder / "index.bin").unlink()
    assert asyncio.run(ask(folder)) == ((lost,), [told])
    words = list(recover_in_words(folder))
    assert f"It once had {len(frames) - 1} records" in words[1]
    # Whoever was told by a recovery is not told at every opening; a verification still finds it.
    assert asyncio.run(ask(folder)) == ((lost,), [])


def test_git_gives_back_the_chronicle_as_it_was_though_the_story_went_on(folder: Path) -> None:
    good = (folder / "chronicle.jsonl").read_bytes()
    cut(folder, 6)
    asyncio.run(ask(folder, turn=2, git=True))
    found = recover_log(folder, disk=QUICK)
    assert (found.set_aside, found.kept) == ("", f"set-aside/lost-{len(good)}-chronicle.jsonl")
    assert (folder / found.kept).read_bytes() == good
    assert found.lost is not None
    assert any(found.kept in line for line in recover_in_words(folder))
    assert len(asyncio.run(ask(folder))[0]) == 2


def test_git_is_told_the_whole_of_a_chronicle_that_went_on_otherwise(folder: Path) -> None:
    cut(folder, 6)
    asyncio.run(ask(folder, turn=2, git=True))
    history = GitHistory(FolderLayout(folder))
    newest = history.parts()[-1]
    assert newest.begin == 0
    assert history.read_part(newest) == (folder / "chronicle.jsonl").read_bytes()


def test_what_comes_back_is_no_longer_lost(folder: Path) -> None:
    good = (folder / "chronicle.jsonl").read_bytes()
    cut(folder, 6)
    assert asyncio.run(ask(folder))[0]
    found = recover_log(folder, disk=QUICK)
    assert (found.lost, (folder / "chronicle.jsonl").read_bytes()) == (None, good)
    assert asyncio.run(ask(folder)) == ((), [])
    # The same by hand, from a backup.
    cut(folder, 6)
    assert asyncio.run(ask(folder))[0]
    (folder / "chronicle.jsonl").write_bytes(good)
    assert asyncio.run(ask(folder)) == ((), [])


def test_the_farthest_end_that_is_gone_is_the_one_that_is_told() -> None:
    annals = cast(CampaignLog, SimpleNamespace(damage=None, outrun=None, holds=lambda end, chain: end == 3))
    lost = LostEnd(12, bytes(32), 4)
    assert find_lost_end(annals, ListingFile(end=9, records=3, lost=lost)) == lost
    assert find_lost_end(annals, ListingFile(end=15, records=5, lost=lost)) == LostEnd(15, bytes(32), 5)
    assert find_lost_end(annals, ListingFile(end=3)) is None


def test_a_card_keeps_what_was_lost_and_is_held_to_its_types() -> None:
    card = ListingFile({"title": "x"}, "t", 9, bytes(32), records=3, lost=LostEnd(12, bytes(32), 4, True))
    assert parse_listing(encode_listing(card)) == card
    for lost in ([1, 2, 3, 4], [-1, "00", 0, False], "abcd", None):
        data = encode_listing(ListingFile()).replace(b'"seal"', b'"lost": %a, "seal"' % str(lost).encode())
        assert parse_listing(data) is None
