"""Plain files: the safe way to open a file that anyone may have put there, and to replace one.

Links are not followed, and pipes, devices and sockets are never opened. The content of a file is not
interpreted here.
"""

import os
import stat
import time
from contextlib import suppress

_BINARY: int = getattr(os, "O_BINARY", 0)
"""Prevents the translation of line ends on systems that do it."""

_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
"""Makes opening a symbolic link fail, where the system supports that."""

_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Keeps `open` from blocking on a pipe without a writer, or from acquiring a terminal."""

REPLACE_TRIES_MAX = 40
REPLACE_PAUSE_SECONDS = 0.025
"""How often, and after which pause, Windows is asked to replace a file that someone has open: one second."""

_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class OddFileError(OSError):
    """The path is not a regular file, or is a folder that is only a link."""


class LargeFileError(OddFileError):
    """A file is larger than any file the program writes."""


def open_plain(path: str | os.PathLike[str], flags: int, mode: int = 0o644, *, follow: bool = False) -> int:
    """Open a regular file and return its descriptor; raises OddFileError for anything else.

    `follow` allows links, for files that belong to the user; the target must still be a regular file.
    """
    try:
        # Check first: merely opening a device may already have an effect.
        _refuse_odd(path, os.stat(path, follow_symlinks=follow).st_mode)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    file = os.open(path, flags | _BINARY | _NO_WAIT | (0 if follow else _NO_LINK), mode)
    try:
        # It may have been replaced since the check.
        _refuse_odd(path, os.fstat(file).st_mode)
    except OddFileError:
        os.close(file)
        raise
    return file


def read_plain(path: str | os.PathLike[str], limit_bytes: int, *, follow: bool = False) -> bytes:
    """The bytes of a regular file; raises LargeFileError, without reading, if it exceeds the limit."""
    with os.fdopen(open_plain(path, os.O_RDONLY, follow=follow), "rb") as stream:
        refuse_large(path, os.fstat(stream.fileno()).st_size, limit_bytes)
        data = stream.read(limit_bytes + 1)
    refuse_large(path, len(data), limit_bytes)
    return data


def refuse_large(path: str | os.PathLike[str], size: int, limit_bytes: int) -> None:
    """Raise LargeFileError if a file exceeds the limit."""
    if size > limit_bytes:
        raise LargeFileError(f"{os.fspath(path)} has more than {limit_bytes} bytes")


def refuse_linked_folder(path: str | os.PathLike[str]) -> None:
    """Reject a folder that is only a link: files written there would end up somewhere else."""
    if os.path.islink(path):
        raise OddFileError(f"{os.fspath(path)} is a link, and links are not followed")


def replace_file(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Rename a file atomically, replacing any file with that name.

    Windows refuses while any program has one of them open, as readers and virus scanners do for a moment.
    """
    if os.name == "nt":
        for _ in range(REPLACE_TRIES_MAX):
            with suppress(PermissionError):
                os.replace(source, target)
                return
            time.sleep(REPLACE_PAUSE_SECONDS)
    os.replace(source, target)


def _refuse_odd(path: str | os.PathLike[str], mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        raise OddFileError(f"{os.fspath(path)} is {kind}, not a plain file")
