"""Plain files: the one way to open a file that anybody may have put there.

Links are not followed, and pipes, devices and sockets are never opened. What a file means is not known here.
"""

import os
import stat

_BINARY: int = getattr(os, "O_BINARY", 0)
"""Where the system would otherwise translate line ends."""

_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
"""A name that is a link is refused, where the system can do that."""

_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""What stands there may be a pipe at whose other end nobody is, or a terminal."""

_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class OddFileError(OSError):
    """What stands under a name is no plain file, or no folder of its own."""


class LargeFileError(OddFileError):
    """A file has more bytes than anything of ours."""


def open_plain(path: str | os.PathLike[str], flags: int, mode: int = 0o644, *, follow: bool = False) -> int:
    """A descriptor of a plain file; an OddFileError where something else stands there.

    `follow` allows links, for files that the user keeps; what they lead to must be a plain file all the same.
    """
    try:
        # Looked at first: opening alone may already do something to a device.
        _refuse_odd(path, os.stat(path, follow_symlinks=follow).st_mode)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    file = os.open(path, flags | _BINARY | _NO_WAIT | (0 if follow else _NO_LINK), mode)
    try:
        # It may have been exchanged since.
        _refuse_odd(path, os.fstat(file).st_mode)
    except OddFileError:
        os.close(file)
        raise
    return file


def read_plain(path: str | os.PathLike[str], limit_bytes: int, *, follow: bool = False) -> bytes:
    """The bytes of a plain file; a LargeFileError, and nothing read, where it has more than a limit."""
    with os.fdopen(open_plain(path, os.O_RDONLY, follow=follow), "rb") as stream:
        refuse_large(path, os.fstat(stream.fileno()).st_size, limit_bytes)
        data = stream.read(limit_bytes + 1)
    refuse_large(path, len(data), limit_bytes)
    return data


def refuse_large(path: str | os.PathLike[str], size: int, limit_bytes: int) -> None:
    """Refuse a file with more bytes than a limit."""
    if size > limit_bytes:
        raise LargeFileError(f"{os.fspath(path)} has more than {limit_bytes} bytes")


def refuse_linked_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a folder that is only a link to one: what is written there would land somewhere else."""
    if os.path.islink(path):
        raise OddFileError(f"{os.fspath(path)} is a link, and links are not followed")


def _refuse_odd(path: str | os.PathLike[str], mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        raise OddFileError(f"{os.fspath(path)} is {kind}, not a plain file")
