"""Pages that a person changes by hand: never lost, noticed once, and taken up where they may be."""

import asyncio
import os
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection, StoreNoticeKind
from talewright.stores.folder.disk import IGNORED, SHEET, FolderLayout
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.pages.page_edits import (
    EDIT_BYTES_MAX,
    PageManifest,
    PageManifestEntry,
    digest_page,
    parse_manifest,
    read_manifest,
)
from tests.stores.folder.pages.test_git_history import ask_git
from tests.stores.sessions import CAMPAIGN, QUICK, QuickDisk, begin, open_store

PROMPT = frozenset({"prompt.md"})


async def project(book: FolderBook, pages: dict[str, str], *removed: str) -> None:
    """Write pages; `prompt.md` may be edited."""
    await book.project(PageProjection("c0", "A turn", pages, removed, PROMPT))


async def kinds(book: FolderBook) -> list[StoreNoticeKind]:
    return [notice.kind for notice in (await book.look()).notices]


@pytest.mark.process
@pytest.mark.parametrize("git", [False, True])
def test_a_page_made_from_the_record_is_written_anew_and_the_edit_kept(git: bool, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path, git=git))
        await project(book, {"scratchpad.md": "one\n", "world/npcs/gorm.md": "Gorm\n"})
        for number, text in enumerate(("mine\n", "again\n"), 1):
            (folder / "scratchpad.md").write_text(text)
            await project(book, {"scratchpad.md": f"{number}\n", "world/npcs/gorm.md": "Gorm\n"})
            assert (folder / "scratchpad.md").read_text() == f"{number}\n"
            assert (folder / f"hand-edits/scratchpad.md.{number}").read_text() == text
        # What is not text is a person's too.
        (folder / "world/npcs/gorm.md").write_bytes(b"\xff\xfe")
        await project(book, {"scratchpad.md": "2\n", "world/npcs/gorm.md": "Gorm\n"})
        assert (folder / "hand-edits/world/npcs/gorm.md.1").read_bytes() == b"\xff\xfe"
        first = (await book.look()).notices[0]
        assert (first.kind, first.page, first.kept) == (
            StoreNoticeKind.EDIT_KEPT,
            "scratchpad.md",
            "hand-edits/scratchpad.md.1",
        )
        assert "saved as 'hand-edits/scratchpad.md.1'" in first.text
        assert await kinds(book) == [StoreNoticeKind.EDIT_KEPT] * 3
        assert dict(await book.edits(frozenset({"scratchpad.md"}))) == {}
        await book.close()
        if git:
            assert ask_git(folder, "show", "main:hand-edits/scratchpad.md.1") == "mine\n"
            assert ask_git(folder, "show", "main:hand-edits/scratchpad.md.2") == "again\n"
            assert ask_git(folder, "status", "--short") == ""

    asyncio.run(scene())


def test_a_page_that_is_taken_away_keeps_its_edit(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path))
        await project(book, {"a.md": "a", "b.md": "b"})
        (folder / "a.md").write_text("mine")
        await project(book, {}, "a.md", "b.md", "never.md", "../x")
        assert sorted(path.name for path in folder.glob("?.md")) == []
        assert (folder / "hand-edits/a.md.1").read_text() == "mine"
        assert not (folder / "hand-edits/b.md.1").exists()
        assert parse_manifest((folder / SHEET).read_bytes()) == PageManifest("c0")

    asyncio.run(scene())


@pytest.mark.process
def test_an_editable_page_stays_until_it_is_taken_up(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path, git=True))
        await project(book, {"prompt.md": "old\n"})
        assert dict(await book.edits(PROMPT)) == {}
        (folder / "prompt.md").write_text("new\n")
        for _ in range(2):
            assert dict(await book.edits(PROMPT)) == {"prompt.md": "new\n"}
            await project(book, {"prompt.md": "old\n"})
            assert (folder / "prompt.md").read_text() == "new\n"
        # Taken up: the page says the same. Going back writes the older text, and git keeps the newer one.
        await project(book, {"prompt.md": "new\n"})
        assert dict(await book.edits(PROMPT)) == {}
        await project(book, {"prompt.md": "old\n"})
        assert (folder / "prompt.md").read_text() == "old\n"
        assert dict(await book.edits(PROMPT)) == {}
        # Brought back by hand it is an edit again.
        (folder / "prompt.md").write_text("new\n")
        assert dict(await book.edits(PROMPT)) == {"prompt.md": "new\n"}
        assert book.notices == ()
        await book.close()
        assert "new" in ask_git(folder, "log", "-p", "main", "--", "prompt.md")

    asyncio.run(scene())


def test_a_page_that_was_deleted_is_written_again_and_one_that_was_laid_there_is_an_edit(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path))
        (folder / "prompt.md").write_text("brought along")
        assert dict(await book.edits(PROMPT)) == {"prompt.md": "brought along"}
        await project(book, {"prompt.md": "brought along"})
        (folder / "prompt.md").unlink()
        assert dict(await book.edits(PROMPT)) == {}
        await project(book, {"prompt.md": "brought along"})
        assert (folder / "prompt.md").read_text() == "brought along"

    asyncio.run(scene())


def test_line_ends_and_a_byte_order_mark_are_no_edit(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path))
        await project(book, {"prompt.md": "a\nb\n", "x.md": "a\n"})
        (folder / "prompt.md").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
        (folder / "x.md").write_bytes(b"a\r\n")
        assert dict(await book.edits(PROMPT)) == {}
        await project(book, {"prompt.md": "a\nb\n", "x.md": "b\n"})
        assert (folder / "prompt.md").read_bytes() == b"\xef\xbb\xbfa\r\nb\r\n"
        assert (folder / "x.md").read_text() == "b\n"
        (folder / "prompt.md").write_bytes(b"\xef\xbb\xbfa\r\nc")
        assert dict(await book.edits(PROMPT)) == {"prompt.md": "a\r\nc"}
        assert book.notices == ()

    asyncio.run(scene())


@pytest.mark.process
@pytest.mark.parametrize("how", ["bytes", "length", "link", "pipe", "folder", "parent"])
def test_what_cannot_be_read_is_noticed_and_not_taken_up(how: str, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        path = "texts/prompt.md" if how == "parent" else "prompt.md"
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "prompt.md").write_text("not yours")
        book = await begin(open_store(tmp_path, git=True))
        page = folder / path
        match how:
            case "bytes":
                page.write_bytes(b"ab\xff")
            case "length":
                page.write_text("x" * (EDIT_BYTES_MAX + 1))
            case "link":
                page.symlink_to(outside / "prompt.md")
            case "pipe":
                os.mkfifo(page)
            case "folder":
                page.mkdir()
            case _:
                (folder / "texts").symlink_to(outside)
        for _ in range(2):
            assert dict(await book.edits(frozenset({path}))) == {}
        (notice,) = (await book.look()).notices
        assert (notice.kind, notice.page) == (StoreNoticeKind.EDIT_UNREAD, path)
        assert "save it as plain text" in notice.text
        await book.project(PageProjection("c0", "A turn", {path: "ours"}, editable=frozenset({path})))
        if how in ("bytes", "length"):
            assert page.stat().st_size in (3, EDIT_BYTES_MAX + 1)
        elif how in ("link", "pipe"):
            assert not page.is_symlink()
            assert page.read_text() == "ours"
        await book.close()
        assert (outside / "prompt.md").read_text() == "not yours"
        assert "not yours" not in ask_git(folder, "log", "-p", "--text", "main", "--", ".", ":!prompt.md")
        told = ask_git(folder, "ls-tree", "-r", "--name-only", "main").splitlines()
        assert (path in told) is (how not in ("folder", "parent"))

    asyncio.run(scene())


def test_a_link_where_edits_are_kept_leaves_the_page_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "precious").write_text("precious")
        book = await begin(open_store(tmp_path))
        await project(book, {"a.md": "a"})
        (folder / "hand-edits").symlink_to(outside)
        (folder / "a.md").write_text("mine")
        (folder / "b.md.new").symlink_to(outside / "precious")
        await project(book, {"a.md": "b", "b.md": "b"})
        assert (folder / "a.md").read_text() == "mine"
        assert (folder / "b.md").read_text() == "b"
        assert [path.name for path in outside.iterdir()] == ["precious"]
        assert (outside / "precious").read_text() == "precious"
        assert await kinds(book) == [StoreNoticeKind.PAGES]
        # Once the link is gone the edit is kept as any other.
        (folder / "hand-edits").unlink()
        await project(book, {"a.md": "b"})
        assert (folder / "hand-edits/a.md.1").read_text() == "mine"

    asyncio.run(scene())


class Struck(Exception):
    """The process ends here."""


class FailingDisk(QuickDisk):
    """A disk that lets a number of files be put in their place, and then no more."""

    def __init__(self, puts: int) -> None:
        self.puts = puts

    def replace(self, source: Path, target: Path) -> None:
        self.puts -= 1
        if self.puts < 0:
            raise Struck
        super().replace(source, target)


@pytest.mark.parametrize("puts", range(8))
def test_wherever_a_crash_comes_our_own_pages_are_known_as_ours(puts: int, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path))
        await project(book, {"prompt.md": "1", "a.md": "1", "b.md": "1"})
        await book.close()
        (folder / "b.md").write_text("mine")
        book = await begin(open_store(tmp_path, FailingDisk(puts)))
        new = {"prompt.md": "2", "a.md": "2", "b.md": "2"}
        try:
            await project(book, new)
        except Struck:
            assert puts < 7
        book = await begin(open_store(tmp_path))
        assert dict(await book.edits(PROMPT)) == {}
        await project(book, new)
        assert {path: (folder / path).read_text() for path in new} == new
        assert [path.read_text() for path in (folder / "hand-edits").iterdir()] == ["mine"]
        assert set(await kinds(book)) <= {StoreNoticeKind.EDIT_KEPT}
        assert read_manifest(QUICK, FolderLayout(folder)) == PageManifest(
            "c0", {path: PageManifestEntry((digest_page(b"2"),)) for path in new}
        )

    asyncio.run(scene())


@pytest.mark.process
@pytest.mark.parametrize("git", [False, True])
@pytest.mark.parametrize("sheet", [None, b"", b"[]", b'{"a.md": 1}', b"\xff", b"[" * 100_000])
def test_a_sheet_that_is_lost_is_made_again_from_git(sheet: bytes | None, git: bool, tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path, git=git))
        await project(book, {"a.md": "a", "b b.md": "b\n\n"})
        await book.close()
        (folder / SHEET).unlink()
        (folder / IGNORED).write_text("/secret\n")
        if sheet is not None:
            (folder / SHEET).write_bytes(sheet)
        (folder / "a.md").write_text("mine")
        book = await begin(open_store(tmp_path, git=git))
        await project(book, {"a.md": "aa", "b b.md": "bb", "c.md": "c"})
        kept = {path.name for path in (folder / "hand-edits").iterdir()}
        # Without git nothing is known of any page, and what might be somebody's is not thrown away.
        assert kept == ({"a.md.1"} if git else {"a.md.1", "b b.md.1"})
        assert (folder / IGNORED).read_text() == "/secret\n/pages.json\n"
        await book.close()

    asyncio.run(scene())


@pytest.mark.process
def test_a_foreign_history_is_not_asked(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path, git=True))
        await project(book, {"a.md": "a"})
        (folder / ".git/config").write_text("[core]\n\tbare = false\n")
        (folder / SHEET).unlink()
        await project(book, {"a.md": "b"})
        assert (folder / "hand-edits/a.md.1").read_text() == "a"
        assert await kinds(book) == [StoreNoticeKind.EDIT_KEPT, StoreNoticeKind.HISTORY]
        await book.close()

    asyncio.run(scene())


class NoReading(QuickDisk):
    """A disk that does not let one page be read."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        if path.name == "a.md":
            raise PermissionError(13, "no")
        return super().open(path, flags, mode)


def test_a_page_that_cannot_be_looked_at_is_left_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path))
        await project(book, {"a.md": "a", "b.md": "b"})
        await book.close()
        book = await begin(open_store(tmp_path, NoReading()))
        await project(book, {"a.md": "aa", "b.md": "bb"}, "gone.md")
        assert ((folder / "a.md").read_text(), (folder / "b.md").read_text()) == ("a", "bb")
        await project(book, {}, "a.md")
        assert (folder / "a.md").exists()
        assert all("the page 'a.md' was not" in text for text in book.notices)
        assert dict(await book.edits(frozenset({"a.md", "../x"}))) == {}
        assert (await kinds(book))[-1] is StoreNoticeKind.EDIT_UNREAD

    asyncio.run(scene())


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path))
        await project(book, {"a.md": "a"})
        await book.close()
        disk = FailingDisk(2)
        book = await begin(open_store(tmp_path, disk))
        for _ in range(2):
            # Only the card of the campaign is put in its place.
            await project(book, {"a.md": "a"})
        assert disk.puts == 0
        assert (await book.look()).notices == ()

    asyncio.run(scene())
