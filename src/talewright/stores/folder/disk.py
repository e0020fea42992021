"""Disk: the names of the files in a campaign's folder, and the few calls that touch them.

They stand in one place so that tests can let any call fail. What a failure means is said where the call is
made.
"""

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from talewright.chronicle.store import BlobKind
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import open_plain, refuse_large, refuse_linked_folder

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
"""What the name of a lock's turnstile has behind that of the lock."""

LAST = ".last"
"""The file beside the campaigns that names the one written last, as a clock may be set back."""

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
"""The ending of a file that is not finished yet; it is renamed when it is."""

OWN_NAMES = frozenset(
    {CHRONICLE, LISTING, SECRET, INDEX, LOCK, PAGES_LOCK, SET_ASIDE, IGNORED, GIT, *SHELVES.values()}
    | {LOCK + TURNSTILE, PAGES_LOCK + TURNSTILE, SHEET, HAND_EDITS, OPEN_TURNS}
)
"""Names in the folder that no page may have."""

_PLAIN = re.compile(r"[a-z0-9_-]{1,120}")
"""Names that can be the names of files everywhere, also where capitals count for nothing."""


@frozen
class FolderLayout:
    """Where everything of one campaign lies."""

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
        """What a list of campaigns shows."""
        return self.folder / LISTING

    @property
    def secret(self) -> Path:
        """The secret of the campaign's chance."""
        return self.folder / SECRET

    @property
    def index(self) -> Path:
        """Where in the chronicle a record is found."""
        return self.folder / INDEX

    @property
    def lock(self) -> Path:
        """Held by the process that reads or writes the chronicle."""
        return self.folder / LOCK

    @property
    def pages_lock(self) -> Path:
        """Held by the process that writes what a person may read."""
        return self.folder / PAGES_LOCK

    @property
    def sheet(self) -> Path:
        """What each page was when it was last written."""
        return self.folder / SHEET

    @property
    def open_turns(self) -> Path:
        """The turns that somebody outside is telling."""
        return self.folder / OPEN_TURNS

    @property
    def set_aside(self) -> Path:
        """Torn and damaged bytes, kept."""
        return self.folder / SET_ASIDE

    @property
    def git(self) -> Path:
        """The history of the pages, for the reader."""
        return self.folder / GIT

    def kept(self, shelf: BlobKind, name: str) -> Path:
        """The file of a blob."""
        if not _PLAIN.fullmatch(name):
            # Only ids and digests are plain; any other name is still the same name every time.
            name = "=" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / SHELVES[shelf] / f"{name}.json"


_sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Not every system has the cheaper call, which leaves out times and owners."""


def _seek_and_read(file: int, size: int, offset: int) -> bytes:
    os.lseek(file, offset, os.SEEK_SET)
    return os.read(file, size)


_read_at: Callable[[int, int, int], bytes] = getattr(os, "pread", _seek_and_read)
"""Not every system has the one call for both."""


class Disk:
    """The disk of this machine."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """A descriptor of a plain file; an OddFileError where something else stands there, or leads there."""
        refuse_linked_folder(path.parent)
        return open_plain(path, flags, mode)

    def close(self, file: int) -> None:
        """Let go of a file."""
        os.close(file)

    def size(self, file: int) -> int:
        """How many bytes a file has."""
        return os.fstat(file).st_size

    def status(self, path: str) -> os.stat_result:
        """What lies under a name now: which file it is, and how many bytes it has."""
        return os.stat(path)

    def read(self, file: int, size: int, offset: int) -> bytes:
        """Bytes from an offset on; fewer than asked for where the file ends, or where the system likes."""
        return _read_at(file, size, offset)

    def write(self, file: int, data: bytes | memoryview) -> int:
        """Write bytes; how many of them were taken."""
        return os.write(file, data)

    def sync_data(self, file: int) -> None:
        """Return when the bytes of a file are on the disk."""
        _sync_data(file)

    def sync(self, file: int) -> None:
        """Return when a file is on the disk, with all that is known about it."""
        os.fsync(file)

    def truncate(self, file: int, size: int) -> None:
        """Cut a file off."""
        os.ftruncate(file, size)

    def make_folder(self, path: Path) -> None:
        """Make a folder, and those above it; it may be there already."""
        path.mkdir(parents=True, exist_ok=True)

    def replace(self, source: Path, target: Path) -> None:
        """Give a file another name, in one step; what had that name is gone."""
        os.replace(source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        """Give a folder another name; an OSError where there is something of that name."""
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
    """Bytes from an offset on; fewer than asked for only where the file ends."""
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
    """Write bytes until none is left: as a rule in one call."""
    taken = disk.write(file, data)
    while taken < len(data):
        taken += disk.write(file, data[taken:])


def read_file(disk: Disk, path: Path, limit_bytes: int) -> bytes:
    """A whole file; an OddFileError where it is no plain file, or a LargeFileError."""
    file = disk.open(path, os.O_RDONLY)
    try:
        refuse_large(path, disk.size(file), limit_bytes)
        data = read_all(disk, file, limit_bytes + 1, 0)
    finally:
        disk.close(file)
    refuse_large(path, len(data), limit_bytes)
    return data


def write_file(disk: Disk, path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a new file that is on the disk when this returns; its name is not, until the folder is synced."""
    # What a crash left there, or a name for a file elsewhere that somebody laid.
    path.unlink(missing_ok=True)
    file = disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        write_all(disk, file, data)
        disk.sync(file)
    finally:
        disk.close(file)


def make_inner_folder(disk: Disk, path: Path) -> None:
    """Make a folder within a campaign's; it may be there already, but not as a link to another."""
    refuse_linked_folder(path)
    disk.make_folder(path)


def put_file(disk: Disk, path: Path, data: bytes) -> None:
    """Put a file in its place whole: whoever looks finds the old one or the new one."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        write_file(disk, new, data)
        disk.replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    disk.sync_folder(path.parent)


LAST_BYTES_MAX = 200
"""Bytes of the file that names the campaign written last."""


def read_last(disk: Disk, saves: Path) -> str:
    """The name of the campaign written last; empty where that is not known."""
    try:
        return read_file(disk, saves / LAST, LAST_BYTES_MAX).decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def note_last(disk: Disk, folder: Path) -> None:
    """Note that a campaign is the one written last. Where that fails, times decide."""
    if read_last(disk, folder.parent) == folder.name:
        return
    new = folder.parent / f"{LAST}.{os.getpid()}{NEW}"
    with suppress(OSError):
        new.unlink(missing_ok=True)
        try:
            # It need not outlive a power failure, so nothing is waited for.
            file = disk.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                write_all(disk, file, f"{folder.name}\n".encode())
            finally:
                disk.close(file)
            disk.replace(new, folder.parent / LAST)
        finally:
            new.unlink(missing_ok=True)


def set_aside(disk: Disk, path: Path, folder: Path, name: str) -> Path:
    """Move a damaged file away and keep it; its new place."""
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
