"""The folder store: the suite of every store, with git and without."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.chronicle.records import PointerKind, Pointing
from talewright.chronicle.store import BlobKind, DamagedError, HeadMovedError, Store
from talewright.stores.folder.disk import FolderLayout
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.folder.pages.page_files import check_path, find_pages
from talewright.testing.store_checks.store_fixtures import (
    StoreFactories,
    make_attempt,
    make_founding,
    make_turn,
)
from talewright.testing.store_suite import STORE_CHECKS


def make_ground(folder: Path, git: bool) -> StoreFactories:
    """Stores in new folders, beneath one."""
    places: list[Path] = []

    async def make() -> Store:
        places.append(folder / f"place {len(places)}")
        return FolderStore(places[-1], git=git)

    async def reopen() -> Store:
        return FolderStore(places[-1], git=git)

    return StoreFactories(make, reopen)


@pytest.mark.parametrize("git", [False, pytest.param(True, marks=pytest.mark.process)], ids=["plain", "git"])
@pytest.mark.parametrize("name", STORE_CHECKS)
def test_suite(name: str, git: bool, tmp_path: Path) -> None:
    if os.name == "nt" and name == "removing":
        pytest.skip("Windows moves no folder with open files")
    asyncio.run(STORE_CHECKS[name](make_ground(tmp_path, git)))


def test_bytes_of_records_are_given_until_they_are_damaged(tmp_path: Path) -> None:
    async def check() -> None:
        store = FolderStore(tmp_path, git=False)
        founding = make_founding("harbor")
        book = await store.found(founding)
        turn = make_turn(founding.root, "first")
        await book.commit(turn, make_attempt(turn))
        lines = [line async for line in book.lines()]
        assert len(lines) == (await book.chain()).length == 3
        copy = await store.found(replace(make_founding("copy"), lines=tuple(lines), past=(turn,), secret=b""))
        assert await copy.chain() == await book.chain()
        with pytest.raises(DamagedError, match="secret"):
            await copy.secret()
        await copy.close()
        await book.close()
        log = tmp_path / "harbor" / "chronicle.jsonl"
        log.write_bytes(log.read_bytes().replace(b"first", b"worst", 1))
        book = await store.open("harbor")
        with pytest.raises(DamagedError):
            assert [line async for line in book.lines()]
        await book.close()

    asyncio.run(check())


def test_a_branch_that_is_gone_has_no_head(tmp_path: Path) -> None:
    async def check() -> None:
        founding = make_founding("harbor")
        book = await FolderStore(tmp_path, git=False).found(founding)
        root = founding.root.id
        with pytest.raises(HeadMovedError) as moved:
            await book.point(Pointing(PointerKind.BRANCH, "aside", root, "at"), expected=root)
        assert moved.value.head == ""
        await book.close()

    asyncio.run(check())


@pytest.mark.parametrize("shelf", BlobKind)
def test_what_is_kept_beside_the_record_is_no_page(tmp_path: Path, shelf: BlobKind) -> None:
    """A person may put files anywhere in the folder; those of the store are not taken for theirs."""
    layout = FolderLayout(tmp_path)
    kept = layout.kept(shelf, "0f3a")
    kept.parent.mkdir()
    kept.write_text("{}")
    (tmp_path / "notes.md").write_text("mine")
    assert list(find_pages(layout)) == ["notes.md"]
    assert check_path(kept.relative_to(tmp_path).as_posix())
