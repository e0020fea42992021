"""A system like Windows: no open file is replaced, deleted or moved, and bytes are read by seeking.

Only this behaviour is imitated, on any system; the locks of Windows are not.
"""

import asyncio
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from talewright.chronicle.store import Store, UnfitNameError, UnsavedError
from talewright.common import plain_files
from talewright.stores.folder import disk, folder_store
from talewright.stores.folder.folder_store import BIN, FolderStore
from talewright.stores.folder.log import record_index
from talewright.stores.folder.log_recovery import recover_log
from talewright.testing.store_checks.store_fixtures import StoreFactories, make_founding
from talewright.testing.store_suite import STORE_CHECKS
from tests.stores.sessions import CAMPAIGN, QuickDisk, Told, find_frames, open_store, play

REMOVES_OPEN = "removing"
"""The check that removes a campaign which is open: here that is refused, as another test shows."""

NOW = "2026-11-15T08:01:02.123456Z"


class SharingDisk(QuickDisk):
    """Refuses as Windows does what needs a file that somebody has open."""

    def __init__(self) -> None:
        self.opened: dict[int, str] = {}

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """A descriptor that counts as open until it is closed."""
        file = super().open(path, flags, mode)
        self.opened[file] = os.path.abspath(path)
        return file

    def close(self, file: int) -> None:
        """Close a descriptor."""
        super().close(file)
        del self.opened[file]

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file, if neither is open."""
        self.refuse(source)
        self.refuse(target)
        super().replace(source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        """Rename a folder, if nothing in it is open."""
        self.refuse(source)
        super().move_folder(source, target)

    def refuse(self, path: Path) -> None:
        """Raise if a file, or a file beneath a folder, is open."""
        place = os.path.abspath(path)
        if any(file == place or file.startswith(place + os.sep) for file in self.opened.values()):
            raise PermissionError(errno.EACCES, "in use", place)


@pytest.fixture
def sharing(monkeypatch: pytest.MonkeyPatch) -> Iterator[SharingDisk]:
    """A disk like that of Windows; in the end nothing is left open."""
    made, delete = SharingDisk(), Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        made.refuse(path)
        delete(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    monkeypatch.setattr(disk, "_read_at", disk._seek_and_read)
    monkeypatch.setattr(folder_store, "os", imitate_windows())
    yield made
    assert made.opened == {}


def imitate_windows(**others: object) -> SimpleNamespace:
    """The module `os`, as it says that it is on Windows. The real one must not: `pathlib` asks it as well."""
    return SimpleNamespace(**{**vars(os), "name": "nt", **others})


@pytest.mark.parametrize("git", [False, pytest.param(True, marks=pytest.mark.process)], ids=["plain", "git"])
@pytest.mark.parametrize("name", sorted(STORE_CHECKS.keys() - {REMOVES_OPEN}))
def test_suite(name: str, git: bool, tmp_path: Path, sharing: SharingDisk) -> None:
    places: list[Path] = []

    async def make() -> Store:
        places.append(tmp_path / f"place {len(places)}")
        return FolderStore(places[-1], git=git, disk=sharing)

    async def reopen() -> Store:
        return FolderStore(places[-1], git=git, disk=sharing)

    asyncio.run(STORE_CHECKS[name](StoreFactories(make, reopen)))


def test_a_damaged_campaign_is_recovered(tmp_path: Path, sharing: SharingDisk) -> None:
    async def write() -> None:
        book = await play(open_store(tmp_path, sharing), Told(), 3)
        await book.close()

    asyncio.run(write())
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    good = chronicle.read_bytes()
    end = find_frames(good)[-2]
    chronicle.write_bytes(good[:-20] + b"x" * 19 + b"\n")
    found = recover_log(tmp_path / CAMPAIGN, disk=sharing, git=False)
    assert chronicle.read_bytes() == good[:end]
    assert (found.lost_bytes, found.lost_lines) == (len(good) - end, 1)


def test_the_index_is_compacted(
    tmp_path: Path, sharing: SharingDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_index, "TIDY_BYTES_MIN", 0)
    monkeypatch.setattr(record_index, "TIDY_RATIO", 0)

    async def main() -> None:
        sizes = []
        for turns in (1, 2, 3):
            book = await play(open_store(tmp_path, sharing), Told(), turns)
            await book.close()
            sizes.append((tmp_path / CAMPAIGN / "index.bin").stat().st_size)
        told = Told()
        book = await play(open_store(tmp_path, sharing), told, 3)
        await told.check(book)
        await book.close()
        assert sizes == sorted(sizes)

    asyncio.run(main())
    assert list((tmp_path / CAMPAIGN).glob("*.new")) == []


def test_a_campaign_that_is_open_is_not_removed(tmp_path: Path, sharing: SharingDisk) -> None:
    async def main() -> None:
        store = open_store(tmp_path, sharing)
        book = await play(store, Told(), 1)
        with pytest.raises(UnsavedError, match="could not be moved to the bin"):
            await store.remove(CAMPAIGN, NOW)
        await book.close()
        assert Path(await store.remove(CAMPAIGN, NOW)).parent == tmp_path / BIN

    asyncio.run(main())


@pytest.mark.parametrize("name", ["con", "nul", "com1"])
def test_the_name_of_a_device_is_refused(name: str, tmp_path: Path, sharing: SharingDisk) -> None:
    with pytest.raises(UnfitNameError, match="device"):
        asyncio.run(open_store(tmp_path, sharing).found(make_founding(name)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("refusals", [0, 3])
def test_a_file_in_use_is_replaced_a_moment_later(
    refusals: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Path] = []
    pauses: list[float] = []

    def replace(source: Path, target: Path) -> None:
        tries.append(source)
        if len(tries) <= refusals:
            raise PermissionError(errno.EACCES, "in use")
        os.replace(source, target)

    monkeypatch.setattr(plain_files, "os", imitate_windows(replace=replace))
    monkeypatch.setattr(plain_files, "time", SimpleNamespace(sleep=pauses.append))
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_bytes(b"new")
    old.write_bytes(b"old")
    plain_files.replace_file(new, old)
    assert old.read_bytes() == b"new"
    assert len(tries) == refusals + 1
    assert pauses == [plain_files.REPLACE_PAUSE_SECONDS] * refusals


def test_a_file_that_stays_in_use_is_not_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def replace(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(plain_files, "os", imitate_windows(replace=replace))
    monkeypatch.setattr(plain_files, "time", SimpleNamespace(sleep=lambda seconds: None))
    with pytest.raises(PermissionError):
        plain_files.replace_file(tmp_path / "new", tmp_path / "old")
