"""What a person reads in a campaign's folder: pages, the list, and the history in git."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.store import BlobKind
from talewright.stores.folder.disk import FolderLayout
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.listing_file import ListingFile, encode_listing, parse_listing
from talewright.stores.folder.pages import git_history
from talewright.stores.folder.pages.git_history import GitError, GitHistory
from talewright.stores.folder.pages.page_files import check_path
from tests.stores.sessions import (
    CAMPAIGN,
    Told,
    begin,
    make_try,
    make_turn,
    make_wish,
    open_store,
    play,
)


def ask_git(folder: Path, *arguments: str) -> str:
    """What git says to a reader, whatever is set on this machine."""
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *arguments],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


async def tell(book: FolderBook, number: int, pages: dict[str, str], *removed: str) -> None:
    """Take a turn and project it."""
    await book.accept(make_wish(number))
    await book.commit(make_turn(number), make_try(number))
    await book.project(PageProjection(f"c{number}", f"Turn {number}: 雾港", pages, removed))


@pytest.mark.process
def test_pages_and_history_of_some_turns(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path, git=True))
        await book.keep(BlobKind.GAME, "g", {"title": "Harbor"})
        await tell(book, 1, {"state.json": "1\n", "logs/第一天.md": "# 第一天\n", "world/a b.md": "x"})
        await tell(book, 2, {"state.json": "2\n"}, "world/a b.md", "never/there.md")
        await book.project(PageProjection("c2", " \n ", {"state.json": "2\n"}))
        assert book.notices == ()
        await book.close()

    asyncio.run(scene())
    folder = tmp_path / CAMPAIGN
    assert (folder / "state.json").read_text() == "2\n"
    assert (folder / "logs/第一天.md").read_text() == "# 第一天\n"
    assert not (folder / "world/a b.md").exists()
    log = ask_git(folder, "log", "--format=%an|%s", "main").splitlines()
    assert log == ["Talewright|A turn", "Talewright|Turn 2: 雾港", "Talewright|Turn 1: 雾港"]
    files = set(ask_git(folder, "ls-tree", "-r", "--name-only", "main").splitlines())
    assert files == {".gitignore", "campaign.json", "games/g.json", "logs/第一天.md", "state.json"}
    assert ask_git(folder, "status", "--short") == ""
    assert ask_git(folder, "show", "main~2:world/a b.md") == "x"
    parts = ask_git(folder, "rev-list", "--reverse", "chronicle").split()
    frames = "".join(ask_git(folder, "show", f"{part}:frames.jsonl") for part in parts)
    assert frames == (folder / "chronicle.jsonl").read_text()
    assert len(parts) == 2
    everything = ask_git(folder, "log", "--all", "-p")
    assert (folder / "secret").read_text().split()[0] not in everything


def test_a_page_that_leads_elsewhere_is_not_written(tmp_path: Path) -> None:
    async def scene() -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        book = await begin(open_store(tmp_path / "place"))
        folder = tmp_path / "place" / CAMPAIGN
        (folder / "logs").symlink_to(outside)
        (folder / "state.json").symlink_to(outside / "state.json")
        bad = ["../x", "/x", "chronicle.jsonl", "Secret", "games/g.json", ".git/config", "a/../b", "a//b", ""]
        bad += [
            "a\\b",
            'a"b',
            "a\nb",
            "a\0b",
            "lock",
            "set-aside/x",
            "a.",
            "b /c",
            "x" * 241,
            "CON:",
            "x.new",
        ]
        before = (folder / "chronicle.jsonl").read_bytes()
        pages = dict.fromkeys([*bad, "logs/day.md"], "bad") | {"state.json": "{}", "surrogate.md": "\ud800"}
        await book.project(PageProjection("c0", "Odd", pages, ("logs/gone.md", "../outside")))
        assert len(book.notices) == 20
        assert sum("was not" in notice for notice in book.notices) == 20
        assert list(outside.iterdir()) == []
        assert (folder / "state.json").read_text() == "{}"
        assert not (folder / "state.json").is_symlink()
        assert (folder / "chronicle.jsonl").read_bytes() == before
        assert all(check_path(path) for path in bad)
        await book.close()

    asyncio.run(scene())


@pytest.mark.process
def test_git_that_is_missing_or_slow_is_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        book = await begin(open_store(tmp_path / "place", git=True))
        await tell(book, 1, {"state.json": "1\n"})
        assert len(book.notices) == 1
        assert "the git history was not written: git could not be run" in book.notices[0]
        await book.close()
        assert not (tmp_path / "place" / CAMPAIGN / ".git").exists()

    asyncio.run(scene())


EVIL = {
    "alias": '[alias]\n\tx = "!touch pwned"\n',
    "filter": '[filter "x"]\n\tclean = touch pwned\n',
    "include": "[include]\n\tpath = elsewhere\n",
    "worktree": "[core]\n\tworktree = /\n",
    "fsmonitor": "\tfsmonitor = touch pwned\n",
    "continued": "\tname = a \\\n\tfsmonitor = touch pwned\n",
}


@pytest.mark.process
@pytest.mark.parametrize("how", [*EVIL, "unmarked", "file", "link", "nothing in it"])
def test_a_foreign_repository_is_left_alone(how: str, tmp_path: Path) -> None:
    async def scene() -> None:
        book = await play(open_store(tmp_path, git=True), Told(), 1)
        await book.project(PageProjection("c1", "One", {"state.json": "1\n"}))
        folder = tmp_path / CAMPAIGN
        repository, config = folder / ".git", folder / ".git" / "config"
        match how:
            case "unmarked":
                config.write_text(config.read_text().partition("[talewright]")[0])
            case "file" | "link" | "nothing in it":
                repository.rename(tmp_path / "elsewhere")
                if how == "file":
                    repository.write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
                elif how == "link":
                    repository.symlink_to(tmp_path / "elsewhere")
                else:
                    repository.mkdir()
            case _:
                config.write_text(config.read_text() + EVIL[how])
        await tell(book, 2, {"state.json": "2\n"})
        assert len(book.notices) == 1
        assert ".git" in book.notices[0]
        assert (folder / "state.json").read_text() == "2\n"
        await book.close()
        assert not list(tmp_path.rglob("pwned"))

    asyncio.run(scene())


@pytest.mark.process
def test_settings_a_reader_may_make_are_kept_and_hooks_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(tmp_path))
        book = await play(open_store(tmp_path, git=True), Told(), 1)
        await book.project(PageProjection("c1", "One", {"state.json": "1\n"}))
        folder = tmp_path / CAMPAIGN
        ask_git(folder, "remote", "add", "backup", "https://example.invalid/x.git")
        ask_git(folder, "config", "user.name", "A Reader")
        hooks = folder / ".git" / "hooks"
        hooks.mkdir()
        for name in (
            "reference-transaction",
            "post-commit",
            "pre-commit",
            "pre-auto-gc",
            "post-index-change",
        ):
            (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n")
            (hooks / name).chmod(0o755)
        await tell(book, 2, {"state.json": "2\n"})
        assert book.notices == ()
        await book.close()
        assert not (tmp_path / "pwned").exists()
        assert ask_git(folder, "log", "--format=%s", "main").splitlines()[0] == "Turn 2: 雾港"

    asyncio.run(scene())


@pytest.mark.process
def test_what_git_missed_is_told_later(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        book = await begin(open_store(tmp_path, git=True))
        await tell(book, 1, {"state.json": "1\n", "logs/one.md": "one"})
        await book.close()
        # A turn whose pages were written, and then the process ended before git was told.
        book = await begin(open_store(tmp_path))
        await tell(book, 2, {"state.json": "2\n", "logs/two.md": "two"})
        await book.close()
        book = await begin(open_store(tmp_path, git=True))
        await tell(book, 3, {"state.json": "3\n"})
        await book.close()
        assert ask_git(folder, "show", "main:logs/two.md") == "two"
        assert ask_git(folder, "status", "--short") == ""
        parts = ask_git(folder, "rev-list", "--reverse", "chronicle").split()
        frames = "".join(ask_git(folder, "show", f"{part}:frames.jsonl") for part in parts)
        assert frames == (folder / "chronicle.jsonl").read_text()

    asyncio.run(scene())


@pytest.mark.process
def test_a_later_turn_of_another_process_is_not_overwritten(tmp_path: Path) -> None:
    async def scene() -> None:
        folder = tmp_path / CAMPAIGN
        early = await begin(open_store(tmp_path, git=True))
        late = await begin(open_store(tmp_path, git=True))
        await early.accept(make_wish(1))
        await early.commit(make_turn(1), make_try(1))
        await tell(late, 2, {"state.json": "2\n"})
        await early.project(PageProjection("c1", "Turn 1", {"state.json": "1\n"}))
        assert (folder / "state.json").read_text() == "2\n"
        assert early.notices == late.notices == ()
        assert ask_git(folder, "log", "--format=%s", "main").splitlines() == ["Turn 2: 雾港"]
        await early.close()
        await late.close()

    asyncio.run(scene())


@pytest.mark.process
def test_git_errors_carry_their_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = GitHistory(FolderLayout(tmp_path))
    with pytest.raises(GitError, match="is not a folder"):
        history.parts()
    monkeypatch.setattr(git_history, "GIT_SECONDS_MAX", 0.0)
    with pytest.raises(GitError, match="git could not be run"):
        history.tidy()


@pytest.mark.parametrize("at", ["", "yesterday", "0001-01-01T00:00:00Z", "2026-01-01T00:00:00Z"])
def test_any_time_can_be_told(at: str) -> None:
    assert git_history._seconds(at) == (1767225600 if at.startswith("2026") else 0)


def test_card_is_sealed() -> None:
    card = ListingFile({"title": "雾港"}, "t", 5, bytes(32))
    data = encode_listing(card)
    assert parse_listing(data) == card
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1
        assert parse_listing(bytes(damaged)) is None
