"""Booby traps in the repository of a campaign's folder that came from somebody else: nothing of it runs."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection, StoreNoticeKind
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.log_recovery import recover_log
from talewright.stores.folder.pages import git_history
from talewright.stores.folder.pages.git_history import find_distrust
from tests.stores.folder.pages.test_git_history import ask_git, tell
from tests.stores.sessions import CAMPAIGN, QUICK, Told, begin, open_store, play

HOOKS = (
    "applypatch-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "post-update",
    "pre-auto-gc",
    "pre-commit",
    "pre-push",
    "prepare-commit-msg",
    "proc-receive",
    "reference-transaction",
    "update",
)


def arm(folder: Path, name: str) -> Path:
    """A program that leaves a trace when it is run."""
    program = folder / f"{name}.sh"
    program.write_text(f"#!/bin/sh\ntouch '{folder}/ran-{name}'\ncat\n")
    program.chmod(0o755)
    return program


def traces(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("ran-*"))


def add_settings(git: Path, text: str) -> None:
    config = git / "config"
    config.write_text(config.read_text() + text)


def lay_fsmonitor(git: Path, program: Path, away: Path) -> None:
    add_settings(git, f"[core]\n\tfsmonitor = {program}\n")


def lay_hooks(git: Path, program: Path, away: Path) -> None:
    (git / "hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        (git / "hooks" / name).symlink_to(program)


def lay_hooks_path(git: Path, program: Path, away: Path) -> None:
    for name in HOOKS:
        (away / name).symlink_to(program)
    add_settings(git, f"[core]\n\thooksPath = {away}\n")


def lay_filter(git: Path, program: Path, away: Path) -> None:
    add_settings(git, f'[filter "x"]\n\tclean = {program}\n\tsmudge = {program}\n\tprocess = {program}\n')
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text("* filter=x\n")


def lay_attributes(git: Path, program: Path, away: Path) -> None:
    lay_filter(git, program, away)
    (git.parent / ".gitattributes").write_text("* filter=x diff=x merge=x\n")


def lay_textconv(git: Path, program: Path, away: Path) -> None:
    add_settings(git, f'[diff "x"]\n\ttextconv = {program}\n\tcommand = {program}\n')
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text("* diff=x\n")


def lay_worktree_settings(git: Path, program: Path, away: Path) -> None:
    add_settings(git, "[extensions]\n\tworktreeConfig = true\n")
    (git / "config.worktree").write_text(f"[core]\n\tfsmonitor = {program}\n")


def lay_bare_worktree_settings(git: Path, program: Path, away: Path) -> None:
    (git / "config.worktree").symlink_to(away / "nothing")


def lay_common_folder(git: Path, program: Path, away: Path) -> None:
    """The settings that we look at are good ones; git would read those of another folder."""
    subprocess.run(["cp", "-r", f"{git}/.", str(away)], check=True)
    add_settings(away, f"[core]\n\tfsmonitor = {program}\n")
    (git / "commondir").write_text(f"{away}\n")


def lay_alternates(git: Path, program: Path, away: Path) -> None:
    (git / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (git / "objects" / "info" / "alternates").write_text(f"{away}\n")


def lay_alternate_refs(git: Path, program: Path, away: Path) -> None:
    lay_alternates(git, program, away)
    add_settings(git, f"[core]\n\talternateRefsCommand = {program}\n")


def lay_submodule(git: Path, program: Path, away: Path) -> None:
    (git / "modules" / "x").mkdir(parents=True)
    (git / "modules" / "x" / "config").write_text(f"[core]\n\tfsmonitor = {program}\n")
    (git.parent / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = x\n\turl = ext::{program}\n')


def lay_submodule_update(git: Path, program: Path, away: Path) -> None:
    add_settings(git, f'[submodule]\n\trecurse = true\n[submodule "x"]\n\tupdate = !{program}\n')


def lay_include(git: Path, program: Path, away: Path) -> None:
    (away / "more").write_text(f"[core]\n\tfsmonitor = {program}\n")
    add_settings(git, f"[include]\n\tpath = {away}/more\n")


def lay_programs(git: Path, program: Path, away: Path) -> None:
    add_settings(
        git,
        f"[core]\n\tsshCommand = {program}\n\tpager = {program}\n\teditor = {program}\n"
        f"[gpg]\n\tprogram = {program}\n[gc]\n\trecentObjectsHook = {program}\n"
        f'[uploadpack]\n\tpackObjectsHook = {program}\n[remote "x"]\n\tvcs = {program}\n',
    )


def lay_linked_settings(git: Path, program: Path, away: Path) -> None:
    (git / "config").rename(away / "config")
    (git / "config").symlink_to(away / "config")


def lay_linked_refs(git: Path, program: Path, away: Path) -> None:
    (git / "refs" / "heads").rename(away / "heads")
    (git / "refs" / "heads").symlink_to(away / "heads")


def lay_huge_settings(git: Path, program: Path, away: Path) -> None:
    add_settings(git, "[user]\n" + "\tname = x\n" * git_history.SETTINGS_BYTES_MAX)


LEFT_ALONE: tuple[Callable[[Path, Path, Path], None], ...] = (
    lay_fsmonitor,
    lay_hooks_path,
    lay_filter,
    lay_attributes,
    lay_textconv,
    lay_worktree_settings,
    lay_bare_worktree_settings,
    lay_common_folder,
    lay_alternates,
    lay_alternate_refs,
    lay_submodule,
    lay_submodule_update,
    lay_include,
    lay_programs,
    lay_linked_settings,
    lay_linked_refs,
    lay_huge_settings,
)

SPRINGS = {
    lay_fsmonitor,
    lay_hooks_path,
    lay_hooks,
    lay_filter,
    lay_attributes,
    lay_common_folder,
    lay_include,
}
"""Traps that plain git in the folder falls into: else a test would show nothing."""


async def lay(tmp_path: Path, trap: Callable[[Path, Path, Path], None]) -> FolderBook:
    """A campaign of ours into whose repository somebody has laid a trap."""
    book = await play(open_store(tmp_path, git=True), Told(), 1)
    await book.project(PageProjection("c1", "One", {"state.json": "1\n", "a.md": "a"}))
    away = tmp_path / "away"
    away.mkdir()
    trap(tmp_path / CAMPAIGN / ".git", arm(tmp_path, "trap"), away)
    return book


@pytest.mark.process
@pytest.mark.parametrize("trap", LEFT_ALONE, ids=lambda trap: trap.__name__[4:])
def test_nothing_of_a_trapped_repository_runs(
    trap: Callable[[Path, Path, Path], None], tmp_path: Path
) -> None:
    async def scene() -> None:
        book = await lay(tmp_path, trap)
        folder = tmp_path / CAMPAIGN
        before = sorted(path.relative_to(folder) for path in (folder / ".git").rglob("*"))
        # A lost sheet makes the store ask git for the pages, which is a way into the repository as well.
        (folder / "pages.json").unlink()
        await tell(book, 2, {"state.json": "2\n", "a.md": "b"})
        assert StoreNoticeKind.HISTORY in [notice.kind for notice in (await book.look()).notices]
        assert (folder / "state.json").read_text() == "2\n"
        await book.close()
        book = await begin(open_store(tmp_path, git=True))
        await tell(book, 3, {"state.json": "3\n"})
        await book.close()
        found = recover_log(folder, disk=QUICK)
        assert found.notices
        assert traces(tmp_path) == []
        assert sorted(path.relative_to(folder) for path in (folder / ".git").rglob("*")) == before
        if trap in SPRINGS:
            spring(folder)
            assert traces(tmp_path) == ["ran-trap"]

    asyncio.run(scene())


@pytest.mark.process
def test_hooks_do_not_run_and_the_history_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await lay(tmp_path, lay_hooks)
        folder = tmp_path / CAMPAIGN
        await tell(book, 2, {"state.json": "2\n"})
        await book.close()
        assert traces(tmp_path) == []
        assert book.notices == ()
        assert ask_git(folder, "log", "--format=%s", "main").splitlines() == ["Turn 2: 雾港", "One"]
        spring(folder)
        assert traces(tmp_path) == ["ran-trap"]

    asyncio.run(scene())


@pytest.mark.process
def test_neither_variables_nor_settings_of_the_user_lead_git_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    # Settings that git could not even read, and objects and traces that would go to another folder.
    (away / ".gitconfig").write_text("[broken")
    monkeypatch.setenv("HOME", str(away))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(away))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(away / "objects"))
    monkeypatch.setenv("GIT_TRACE", str(away / "trace"))

    async def scene() -> None:
        book = await begin(open_store(tmp_path / "saves", git=True))
        await tell(book, 1, {"state.json": "1\n"})
        await book.close()
        assert book.notices == ()

    asyncio.run(scene())
    assert [path.name for path in away.iterdir()] == [".gitconfig"]
    assert ask_git(tmp_path / "saves" / CAMPAIGN, "show", "main:state.json") == "1\n"


def spring(folder: Path) -> None:
    """What an unwary reader does."""
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (("status",), ("add", "-A"), ("-c", "user.name=x", "commit", "-m", "x")):
        subprocess.run(["git", *arguments], cwd=folder, env=surroundings, capture_output=True, check=False)


def test_what_a_repository_of_ours_is(tmp_path: Path) -> None:
    git = tmp_path / ".git"
    disk = Disk()
    assert find_distrust(git, disk) == f"{git} is not a folder"
    git.mkdir()
    assert "cannot be read" in find_distrust(git, disk)
    (git / "config").write_bytes(b"\xff")
    assert "cannot be read" in find_distrust(git, disk)
    (git / "config").write_text(git_history.MARK)
    assert find_distrust(git, disk) == ""
    (git / "config").write_text(git_history.MARK.replace("own", "other"))
    assert "not used" in find_distrust(git, disk)
    (git / "config").write_text(git_history.MARK)
    (git / "commondir").write_text("..")
    assert find_distrust(git, disk) == f"{git} points outside itself (commondir); it is not used"
