"""Disk: the file names in a campaign's folder, and every system call on them.

The calls are all here so that tests can make any of them fail. Callers decide what a failure means.
"""

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from talewright.chronicle.store import BlobKind
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import open_plain, refuse_large, refuse_linked_folder, replace_file

CHRONICLE = "chronicle.jsonl"
LISTING = "campaign.json"
SECRET = "secret"
INDEX = "index.bin"
LOCK = "lock"
PAGES_LOCK = "pages.lock"
SHEET = "pages.json"
HAND_EDITS = "hand-edits"
OPEN_TURNS = "open-turns.json"
TURNSTILE = ".turnstile"
"""The suffix of the turnstile's file name, appended to the lock's."""

LAST = ".last"
"""The file next to the campaigns that names the one written last; clocks can be set back."""

SET_ASIDE = "set-aside"
IGNORED = ".gitignore"
GIT = ".git"

SHELVES = {BlobKind.GAME: "games", BlobKind.SNAPSHOT: "snapshots"}
"""The folder of each kind of blob."""

IGNORE_TEXT = f"""\
# The secret of the dice, what can be made again, and what was damaged. The chronicle has a branch of its own.
/{SECRET}
/{CHRONICLE}
/{INDEX}
/{LOCK}
/{PAGES_LOCK}
/{SHEET}
/{OPEN_TURNS}
*{TURNSTILE}
/{SHELVES[BlobKind.SNAPSHOT]}/
/{SET_ASIDE}/
*.new
"""

NEW = ".new"
"""The suffix of an unfinished file; it is renamed when it is complete."""

OWN_NAMES = frozenset(
    {CHRONICLE, LISTING, SECRET, INDEX, LOCK, PAGES_LOCK, SET_ASIDE, IGNORED, GIT, *SHELVES.values()}
    | {LOCK + TURNSTILE, PAGES_LOCK + TURNSTILE, SHEET, HAND_EDITS, OPEN_TURNS}
)
"""Names in the folder that no page may use."""

_PLAIN = re.compile(r"[a-z0-9_-]{1,120}")
"""Names that are valid file names everywhere, including on case-insensitive file systems."""


@frozen
class FolderLayout:
    """The paths of one campaign's files."""

    folder: Path

    @property
    def campaign(self) -> str:
        """The campaign's name."""
        return self.folder.name

    @property
    def chronicle(self) -> Path:
        """The records, one line each."""
        return self.folder / CHRONICLE

    @property
    def listing(self) -> Path:
        """What the list of campaigns shows."""
        return self.folder / LISTING

    @property
    def secret(self) -> Path:
        """The secret that the campaign's draws are derived from."""
        return self.folder / SECRET

    @property
    def index(self) -> Path:
        """Where in the chronicle each record is."""
        return self.folder / INDEX

    @property
    def lock(self) -> Path:
        """Held by the process that reads or writes the chronicle."""
        return self.folder / LOCK

    @property
    def pages_lock(self) -> Path:
        """Held by the process that writes the pages."""
        return self.folder / PAGES_LOCK

    @property
    def sheet(self) -> Path:
        """The content of each page when it was last written."""
        return self.folder / SHEET

    @property
    def open_turns(self) -> Path:
        """The turns that outside game masters are narrating."""
        return self.folder / OPEN_TURNS

    @property
    def set_aside(self) -> Path:
        """Torn and damaged bytes that were set aside."""
        return self.folder / SET_ASIDE

    @property
    def git(self) -> Path:
        """The history of the pages, for readers."""
        return self.folder / GIT

    def kept(self, shelf: BlobKind, name: str) -> Path:
        """The file of a blob."""
        if not _PLAIN.fullmatch(name):
            # Ids and digests are plain names; any other name is replaced by its hash.
            name = "=" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / SHELVES[shelf] / f"{name}.json"


_sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""The cheaper call, which does not sync times and owners, is not available everywhere."""


def _seek_and_read(file: int, size: int, offset: int) -> bytes:
    os.lseek(file, offset, os.SEEK_SET)
    return os.read(file, size)


_read_at: Callable[[int, int, int], bytes] = getattr(os, "pread", _seek_and_read)
"""Not every system can seek and read in one call."""


class Disk:
    """The disk of this machine."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """Open a regular file. Raises OddFileError if the path is something else or leads through a link."""
        refuse_linked_folder(path.parent)
        return open_plain(path, flags, mode)

    def close(self, file: int) -> None:
        """Close a file."""
        os.close(file)

    def size(self, file: int) -> int:
        """The size of a file in bytes."""
        return os.fstat(file).st_size

    def status(self, path: str) -> os.stat_result:
        """What the path is now: which file, and its size in bytes."""
        return os.stat(path)

    def read(self, file: int, size: int, offset: int) -> bytes:
        """Bytes at an offset; may be fewer than requested."""
        return _read_at(file, size, offset)

    def write(self, file: int, data: bytes | memoryview) -> int:
        """Write bytes; returns how many were written."""
        return os.write(file, data)

    def sync_data(self, file: int) -> None:
        """Return when the bytes of a file are on the disk."""
        _sync_data(file)

    def sync(self, file: int) -> None:
        """Return when a file and its metadata are on the disk."""
        os.fsync(file)

    def truncate(self, file: int, size: int) -> None:
        """Truncate a file."""
        os.ftruncate(file, size)

    def make_folder(self, path: Path) -> None:
        """Create a folder and its parents; it may exist already."""
        path.mkdir(parents=True, exist_ok=True)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file atomically, replacing any file with that name."""
        replace_file(source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        """Rename a folder. Raises OSError if the new name is taken."""
        os.rename(source, target)

    def sync_folder(self, path: Path) -> None:
        """Return when the names in a folder are on the disk."""
        if os.name == "nt":
            return
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_all(disk: Disk, file: int, size: int, offset: int) -> bytes:
    """Bytes at an offset; fewer than requested only at the end of the file."""
    parts: list[bytes] = []
    while size > 0:
        part = disk.read(file, size, offset)
        if not part:
            break
        parts.append(part)
        offset += len(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def write_all(disk: Disk, file: int, data: bytes) -> None:
    """Write all bytes, usually in one call."""
    taken = disk.write(file, data)
    while taken < len(data):
        taken += disk.write(file, data[taken:])


def read_file(disk: Disk, path: Path, limit_bytes: int) -> bytes:
    """The content of a file. Raises OddFileError if it is not a regular file, or LargeFileError."""
    file = disk.open(path, os.O_RDONLY)
    try:
        refuse_large(path, disk.size(file), limit_bytes)
        data = read_all(disk, file, limit_bytes + 1, 0)
    finally:
        disk.close(file)
    refuse_large(path, len(data), limit_bytes)
    return data


def write_file(disk: Disk, path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a new file and sync it; its name is durable only after the folder is synced."""
    # Left by a crash, or a link that someone planted.
    path.unlink(missing_ok=True)
    file = disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        write_all(disk, file, data)
        disk.sync(file)
    finally:
        disk.close(file)


def make_inner_folder(disk: Disk, path: Path) -> None:
    """Create a folder inside a campaign's folder; it may exist already, but not as a link."""
    refuse_linked_folder(path)
    disk.make_folder(path)


def put_file(disk: Disk, path: Path, data: bytes) -> None:
    """Write a file atomically: readers find the old file or the new one."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        write_file(disk, new, data)
        disk.replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    disk.sync_folder(path.parent)


LAST_BYTES_MAX = 200
"""The maximum size in bytes of the file that names the campaign written last."""


def read_last(disk: Disk, saves: Path) -> str:
    """The name of the campaign written last; empty if unknown."""
    try:
        return read_file(disk, saves / LAST, LAST_BYTES_MAX).decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def note_last(disk: Disk, folder: Path) -> None:
    """Note which campaign was written last. If that fails, the times in the records decide."""
    if read_last(disk, folder.parent) == folder.name:
        return
    new = folder.parent / f"{LAST}.{os.getpid()}{NEW}"
    with suppress(OSError):
        new.unlink(missing_ok=True)
        try:
            # It need not survive a power failure, so it is not synced.
            file = disk.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                write_all(disk, file, f"{folder.name}\n".encode())
            finally:
                disk.close(file)
            disk.replace(new, folder.parent / LAST)
        finally:
            new.unlink(missing_ok=True)


def set_aside(disk: Disk, path: Path, folder: Path, name: str) -> Path:
    """Move a damaged file aside; returns its new path."""
    make_inner_folder(disk, folder)
    target = folder / name
    number = 1
    while os.path.lexists(target):
        number += 1
        target = folder / f"{name}.{number}"
    disk.replace(path, target)
    disk.sync_folder(folder)
    disk.sync_folder(path.parent)
    return target
