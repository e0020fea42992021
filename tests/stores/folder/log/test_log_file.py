"""Pages of turns that are not on the line of the story any more: taken away, and what a person wrote kept."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection, StoreNoticeKind
from talewright.chronicle.records import Attempt, AttemptVerdict, PointerKind, Pointing
from talewright.stores.folder.disk import SHEET, FolderLayout
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.pages.page_edits import (
    PageManifest,
    PageManifestEntry,
    digest_page,
    parse_manifest,
    read_manifest,
)
from talewright.stores.folder.pages.page_projector import PageProjector
from tests.stores.folder.pages.test_git_history import ask_git
from tests.stores.sessions import CAMPAIGN, QUICK, begin, make_turn, make_wish, open_store, write_turns

OTHER = "otherwise"


async def project(book: FolderBook, commit: str, **pages: str) -> None:
    """Write the pages of a turn: a state, and logs by their names."""
    logs = {f"logs/{name}.jsonl": text for name, text in pages.items()}
    await book.project(PageProjection(commit, f"Turn {commit}", {"state.json": commit, **logs}))


def logs(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted((folder / "logs").iterdir())}


async def open_line(folder: Path, turns: int = 4, *, git: bool = False) -> FolderBook:
    """A campaign of some turns, the log of each a page that only its own turn writes."""
    await write_turns(folder, turns)
    book = await begin(open_store(folder, git=git))
    for number in range(1, turns + 1):
        await project(book, f"c{number}", **{f"t{number}": str(number)})
    return book


async def part(book: FolderBook, base: int, *names: str) -> None:
    """A branch from a turn, with turns of its own."""
    await book.point(Pointing(PointerKind.BRANCH, OTHER, f"c{base}", "t9"))
    parent = f"c{base}"
    for version, name in enumerate(names, base + 1):
        commit = replace(make_turn(version), id=name, parent=parent, branch=OTHER, operation_id=f"o{name}")
        await book.accept(replace(make_wish(version), operation_id=f"o{name}", branch=OTHER, base=parent))
        attempt = Attempt(f"a{name}", f"o{name}", OTHER, parent, "t9", AttemptVerdict.COMMITTED)
        await book.commit(commit, attempt)
        parent = name


@pytest.mark.process
@pytest.mark.parametrize("git", [False, True])
def test_going_back_takes_away_what_came_later_and_leaves_what_came_before(git: bool, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await open_line(tmp_path, git=git)
        assert logs(folder) == {"t1": "1", "t2": "2", "t3": "3", "t4": "4"}
        await project(book, "c2", t2="2")
        # Nobody names the log of the first turn any more, and it is of this line all the same.
        assert logs(folder) == {"t1": "1", "t2": "2"}
        assert (folder / "state.json").read_text() == "c2"
        assert book.notices == ()
        await book.close()
        if git:
            tracked = ask_git(folder, "ls-tree", "-r", "--name-only", "main").splitlines()
            assert [path for path in tracked if path.startswith("logs/")] == [
                "logs/t1.jsonl",
                "logs/t2.jsonl",
            ]
            assert ask_git(folder, "show", "main~1:logs/t4.jsonl") == "4"

    asyncio.run(scene())


def test_it_is_the_same_after_opening_again_and_from_any_number_of_turns_back(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await open_line(tmp_path)
        await book.close()
        book = await begin(open_store(tmp_path))
        await project(book, "c0")
        assert logs(folder) == {}
        # Forward again, as after a redo: what is made is written, and what was there is not missed.
        await project(book, "c3", t3="3")
        assert logs(folder) == {"t3": "3"}
        await project(book, "c3", t3="3")
        await book.close()

    asyncio.run(scene())


def test_another_branch_takes_away_the_pages_of_this_one_and_keeps_what_both_have(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await open_line(tmp_path)
        await part(book, 2, "d3", "d4", "d5")
        await project(book, "d5", t4="4", u5="five")
        # The page that both branches have says the same; it now belongs to the turn that shows it.
        assert logs(folder) == {"t1": "1", "t2": "2", "t4": "4", "u5": "five"}
        await project(book, "d4", u4="four")
        assert logs(folder) == {"t1": "1", "t2": "2", "u4": "four"}
        await project(book, "c4", t4="4")
        assert logs(folder) == {"t1": "1", "t2": "2", "t4": "4"}
        await book.close()

    asyncio.run(scene())


def test_what_a_person_wrote_is_set_aside_and_not_lost(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await open_line(tmp_path)
        (folder / "logs/t4.jsonl").write_text("mine")
        (folder / "logs/own.md").write_text("a file of my own")
        (folder / "logs/t3.jsonl").unlink()
        await project(book, "c2", t2="2")
        assert logs(folder) == {"own": "a file of my own", "t1": "1", "t2": "2"}
        assert (folder / "hand-edits/logs/t4.jsonl.1").read_text() == "mine"
        (notice,) = (await book.look()).notices
        assert (notice.kind, notice.page) == (StoreNoticeKind.EDIT_LEFT, "logs/t4.jsonl")
        assert notice.text == (
            "the page 'logs/t4.jsonl' was changed by hand; it is no longer part of this story, and your text "
            "was saved as 'hand-edits/logs/t4.jsonl.1'"
        )
        await book.close()

    asyncio.run(scene())


@pytest.mark.parametrize("head", ["", "nowhere", "c4"])
def test_nothing_is_taken_away_where_it_is_not_known_what_lies_there(head: str, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        await write_turns(tmp_path, 4)
        (tmp_path / "outside.md").write_text("precious")
        digest = digest_page(b"precious")
        pages = {"../outside.md": [4, digest], "chronicle.jsonl": [4, digest], "logs/t4.jsonl": [4, digest]}
        book = await begin(open_store(tmp_path))
        (folder / SHEET).write_text(json.dumps({"head": head, "pages": pages}))
        (folder / "logs").mkdir()
        (folder / "logs/t4.jsonl").write_text("precious")
        await project(book, "c2")
        # A sheet is believed about pages alone, and only where its turn is one of the campaign.
        assert (tmp_path / "outside.md").read_text() == "precious"
        assert (folder / "chronicle.jsonl").stat().st_size > 0
        assert logs(folder) == ({} if head == "c4" else {"t4": "precious"})
        await project(book, "unknown", t5="5")
        assert logs(folder)["t5"] == "5"
        await book.close()

    asyncio.run(scene())


def test_a_page_written_by_another_process_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await open_line(tmp_path)
        # What is read before the other process writes.
        monkeypatch.setattr(PageProjector, "find_shown", lambda _: "c3")
        await project(book, "c2", t2="2")
        assert logs(folder) == {"t1": "1", "t2": "2", "t3": "3", "t4": "4"}
        await book.close()

    asyncio.run(scene())


def test_a_sheet_remembers_commit_and_turns_and_older_ones_are_read() -> None:
    assert parse_manifest(b'{"head": "c1", "pages": {"a.md": [3, "x", "y"]}}') == PageManifest(
        "c1", {"a.md": PageManifestEntry(("x", "y"), 3)}
    )
    assert parse_manifest(b'{"a.md": ["x"], "pages": ["y"]}') == PageManifest(
        "", {"a.md": PageManifestEntry(("x",)), "pages": PageManifestEntry(("y",))}
    )
    assert parse_manifest(b'{"head": 1, "pages": {}}') is None
    assert parse_manifest(b'{"head": "c1", "pages": {"a.md": 1}}') is None


def test_the_sheet_of_a_line(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await open_line(tmp_path, 2)
        await project(book, "c2", t1="1", t2="2")
        sheet = read_manifest(QUICK, FolderLayout(tmp_path / CAMPAIGN))
        assert sheet is not None
        assert sheet.head == "c2"
        assert {path: leaf.version for path, leaf in sheet.leaves.items()} == {
            "state.json": 2,
            "logs/t1.jsonl": 1,
            "logs/t2.jsonl": 2,
        }
        await book.close()

    asyncio.run(scene())
