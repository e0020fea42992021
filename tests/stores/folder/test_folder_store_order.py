"""The order of campaigns and what a list says of them, on a clock set back and on a disk that only reads."""

import asyncio
import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.records import MAIN, Accepted, PointerKind, Pointing
from talewright.chronicle.store import Founding, UnsavedError
from talewright.stores.folder.disk import LAST
from talewright.stores.folder.folder_store import FolderStore
from tests.stores.sessions import (
    CAMPAIGN,
    SECRET,
    QuickDisk,
    make_root,
    make_try,
    make_turn,
    make_wish,
    open_store,
    write_turns,
)


async def begin(store: FolderStore, name: str, at: str) -> None:
    """A campaign that begins at a time."""
    book = await store.found(Founding(name, replace(make_root(name), at=at), SECRET))
    await book.close()


async def say(store: FolderStore, name: str, operation: str, at: str) -> None:
    """An input at a time."""
    book = await store.open(name)
    await book.accept(Accepted(operation, MAIN, "c0", "on", at))
    await book.close()


async def list_names(store: FolderStore) -> list[str]:
    return [one.campaign for one in await read_campaigns(store)]


def test_the_campaign_written_last_is_the_first_also_when_the_clock_was_set_back(tmp_path: Path) -> None:
    async def scene() -> None:
        store = open_store(tmp_path)
        await begin(store, "early", "2026-01-01T00:00:00Z")
        await begin(store, "late", "2026-06-01T00:00:00Z")
        assert await list_names(store) == ["late", "early"]
        await say(store, "early", "o1", "1970-01-01T00:00:00Z")
        assert await list_names(store) == ["early", "late"]
        await say(open_store(tmp_path), "late", "o1", "1970-01-01T00:00:00Z")
        assert await list_names(store) == ["late", "early"]
        # Without the note, times decide; and a note of what is gone says nothing.
        (tmp_path / LAST).write_text("gone\n")
        assert await list_names(store) == ["late", "early"]
        (tmp_path / LAST).unlink()
        (tmp_path / LAST).mkdir()
        await say(store, "late", "o2", "1970-01-02T00:00:00Z")
        assert sorted(await list_names(store)) == ["early", "late"]

    asyncio.run(scene())


def test_a_turn_and_a_branch_make_their_campaign_the_first(tmp_path: Path) -> None:
    async def scene() -> None:
        store = open_store(tmp_path)
        at = "2026-01-01T00:00:00Z"
        for name in ("one", "other"):
            await begin(store, name, at)
        one = await store.open("one")
        await one.accept(replace(make_wish(1), at=at))
        await say(store, "other", "o1", at)
        assert await list_names(store) == ["other", "one"]
        await one.commit(replace(make_turn(1), at=at), make_try(1))
        assert await list_names(store) == ["one", "other"]
        await say(store, "other", "o2", at)
        assert await list_names(store) == ["other", "one"]
        await one.point(Pointing(PointerKind.BRANCH, "aside", "c0", at))
        assert await list_names(store) == ["one", "other"]
        await one.close()

    asyncio.run(scene())


def test_a_campaign_that_was_just_begun_is_the_first_whatever_the_clock_says(tmp_path: Path) -> None:
    async def scene() -> None:
        store = open_store(tmp_path)
        await begin(store, "late", "2026-06-01T00:00:00Z")
        await begin(store, "early", "2026-01-01T00:00:00Z")
        assert await list_names(store) == ["early", "late"]

    asyncio.run(scene())


class ReadOnlyDisk(QuickDisk):
    """A disk on which nothing can be written."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, "Read-only file system")
        return super().open(path, flags, mode)

    def make_folder(self, path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")


def test_a_disk_that_only_reads_is_no_damage(tmp_path: Path) -> None:
    asyncio.run(write_turns(tmp_path, 2))
    store = open_store(tmp_path, ReadOnlyDisk())
    (listing,) = asyncio.run(store.campaigns())
    assert (listing.damaged, listing.notices) == (False, ())
    with pytest.raises(UnsavedError, match="Read-only file system") as refused:
        asyncio.run(store.open(CAMPAIGN))
    assert "--saves" in refused.value.hint
