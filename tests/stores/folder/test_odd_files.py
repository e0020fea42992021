"""Odd files: links, pipes, devices, sockets, folders and huge files in every place of a campaign's folder.

Each time: what is done with the campaign ends within a second, and nothing outside its folder is touched.
"""

import asyncio
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.store import BlobKind, ChronicleError, DamagedError
from talewright.common.plain_files import OddFileError, open_plain, read_plain
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.log_recovery import recover_log
from tests.odd_files import KINDS, lay_link, look_at, within_a_second
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    Told,
    make_try,
    make_turn,
    make_wish,
    open_store,
    play,
    read_all,
)

pytestmark = pytest.mark.process

TURNS = 2
OUTSIDE = "outside"
PID = "PID"
"""Stands for the id of the process: a test has the same name in every worker."""

PLACES = (
    "chronicle.jsonl",
    "campaign.json",
    "secret",
    "index.bin",
    "lock",
    "lock.turnstile",
    "pages.lock",
    "pages.lock.turnstile",
    "pages.json",
    "open-turns.json",
    "games",
    "games/g.json",
    "snapshots",
    "snapshots/c1.json",
    "snapshots/c3.json",
    "set-aside",
    "hand-edits",
    "state.json",
    "state.json.new",
    "pages",
    "pages/one.md",
    f"campaign.json.{PID}.new",
    "chronicle.jsonl.new",
    ".gitignore",
    ".git",
)

GIT_PLACES = (
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/packed-refs",
    ".git/objects",
    ".git/objects/info",
    ".git/refs",
    ".git/refs/heads/main",
    ".git/refs/heads/chronicle",
    ".git/info",
    ".git/logs",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of which git knows, to be copied."""

    async def write(place: Path) -> None:
        book = await play(open_store(place, git=True), Told(), TURNS)
        await book.keep(BlobKind.GAME, "g", {"game": 1})
        await book.project(PageProjection(f"c{TURNS}", "On", {"state.json": "{}", "pages/one.md": "One"}))
        await book.close()

    place = tmp_path_factory.mktemp("made")
    asyncio.run(write(place))
    return place


def prepare(made: Path, tmp_path: Path, place: str, kind: str) -> Path:
    """A copy of the campaign with something odd in one place; the folder outside."""
    without = None if "git" in place or place == "chronicle.jsonl" else shutil.ignore_patterns(".git")
    shutil.copytree(made, tmp_path / "saves", symlinks=True, ignore=without)
    outside = tmp_path / OUTSIDE
    outside.mkdir()
    (outside / "diary.txt").write_text("Dear diary")
    (outside / "g.json").write_text("mine")
    target = tmp_path / "saves" / CAMPAIGN / place.replace(PID, str(os.getpid()))
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    target.parent.mkdir(exist_ok=True, parents=True)
    try:
        KINDS[kind](target, outside)
    except PermissionError:
        pytest.skip(f"this user may not make a {kind}")
    return outside


async def use(book: FolderBook) -> None:
    """Do with a campaign what a session does; what is refused is refused in words."""
    number = TURNS + 1
    for work in (
        lambda: book.look(),
        lambda: read_all(book),
        lambda: book.secret(),
        lambda: book.kept(BlobKind.GAME, "g"),
        lambda: book.kept(BlobKind.SNAPSHOT, "c1"),
        lambda: book.open_turn("main"),
        lambda: book.accept(make_wish(number)),
        lambda: book.commit(make_turn(number), make_try(number)),
        lambda: book.keep(BlobKind.SNAPSHOT, f"c{number}", {"state": 1}),
        lambda: book.edits(frozenset({"state.json", "pages/one.md"})),
        lambda: book.project(PageProjection(f"c{number}", "On", {"state.json": "3", "pages/one.md": "Two"})),
    ):
        with suppress(ChronicleError):
            await work()


async def visit(saves: Path, *, git: bool) -> str:
    """List, open, play and close; what was refused."""
    store = open_store(saves, git=git)
    await store.campaigns()
    try:
        book = await store.open(CAMPAIGN)
    except ChronicleError as error:
        return f"{error.message} {error.hint}" if error.hint else "no hint"
    try:
        await use(book)
    finally:
        await book.close()
    return ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_nothing_odd_is_waited_for_or_followed(made: Path, tmp_path: Path, place: str, kind: str) -> None:
    outside = prepare(made, tmp_path, place, kind)
    before = look_at(outside)
    with within_a_second():
        assert asyncio.run(visit(tmp_path / "saves", git=place == ".git")) != "no hint"
    with within_a_second(), suppress(ChronicleError):
        recover_log(tmp_path / "saves" / CAMPAIGN, disk=QUICK, git=place == "chronicle.jsonl")
    assert look_at(outside) == before


@pytest.mark.parametrize("kind", ["link", "folder_link", "pipe", "huge"])
@pytest.mark.parametrize("place", GIT_PLACES)
def test_a_repository_with_something_odd_in_it_is_left_alone(
    made: Path, tmp_path: Path, place: str, kind: str
) -> None:
    outside = prepare(made, tmp_path, place, kind)
    before = look_at(outside)
    with within_a_second():
        asyncio.run(visit(tmp_path / "saves", git=True))
    assert look_at(outside) == before


@pytest.mark.parametrize("kind", ["link", "pipe", "socket", "folder"])
def test_a_chronicle_that_is_no_file_is_damage_and_comes_back_from_git(
    made: Path, tmp_path: Path, kind: str
) -> None:
    prepare(made, tmp_path, "chronicle.jsonl", kind)
    saves = tmp_path / "saves"
    assert "not a plain file" in asyncio.run(visit(saves, git=False))
    found = recover_log(saves / CAMPAIGN, disk=QUICK)
    good = (made / CAMPAIGN / "chronicle.jsonl").read_bytes()
    assert (saves / CAMPAIGN / "chronicle.jsonl").read_bytes() == good
    assert found.set_aside == "set-aside/1-chronicle.jsonl"
    assert os.path.lexists(saves / CAMPAIGN / found.set_aside)


def test_an_odd_index_is_made_again(made: Path, tmp_path: Path) -> None:
    prepare(made, tmp_path, "index.bin", "link")
    asyncio.run(visit(tmp_path / "saves", git=False))
    index = tmp_path / "saves" / CAMPAIGN / "index.bin"
    assert index.is_file()
    assert not index.is_symlink()


def test_what_is_odd_among_blobs_and_open_turns_is_set_aside(made: Path, tmp_path: Path) -> None:
    outside = prepare(made, tmp_path, "games/g.json", "pipe")
    lay_link(tmp_path / "saves" / CAMPAIGN / "open-turns.json", outside)

    async def scene() -> None:
        book = await open_store(tmp_path / "saves").open(CAMPAIGN)
        assert await book.kept(BlobKind.GAME, "g") is None
        assert await book.open_turn("main") is None
        await book.keep(BlobKind.GAME, "g", {"game": 1})
        assert await book.kept(BlobKind.GAME, "g") == {"game": 1}
        await book.close()

    asyncio.run(scene())
    assert {path.name for path in (tmp_path / "saves" / CAMPAIGN / "set-aside").iterdir()} == {
        "games-g.json",
        "open-turns.json",
    }


def test_a_campaign_that_is_only_a_link_is_refused(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "elsewhere")
    (tmp_path / "saves").mkdir()
    (tmp_path / "saves" / CAMPAIGN).symlink_to(tmp_path / "elsewhere" / CAMPAIGN)
    before = look_at(tmp_path / "elsewhere")
    with pytest.raises(DamagedError, match="is a link"):
        asyncio.run(open_store(tmp_path / "saves").open(CAMPAIGN))
    assert look_at(tmp_path / "elsewhere") == before


def test_the_opener_reads_plain_files_alone(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"abc")
    assert read_plain(plain, 3) == b"abc"
    with pytest.raises(OddFileError, match="has more than 2 bytes"):
        read_plain(plain, 2)
    link = tmp_path / "link"
    link.symlink_to(plain)
    with pytest.raises(OddFileError, match="is a link"):
        read_plain(link, 3)
    assert read_plain(link, 3, follow=True) == b"abc"
    os.mkfifo(tmp_path / "pipe")
    for follow in (False, True):
        with pytest.raises(OddFileError, match="is a pipe"):
            read_plain(tmp_path / "pipe", 3, follow=follow)
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "nothing", os.O_RDONLY)


def test_what_is_exchanged_between_the_look_and_the_opening_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"abc")
    known = os.stat(plain)
    os.mkfifo(tmp_path / "pipe")
    with monkeypatch.context() as patch, within_a_second():
        patch.setattr(os, "stat", lambda *names, **options: known)
        with pytest.raises(OddFileError, match="is a pipe"):
            open_plain(tmp_path / "pipe", os.O_RDONLY)
