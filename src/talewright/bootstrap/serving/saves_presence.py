"""Saves presence: detects whether another program has the same saves folder open.

It only informs. Any number of programs may use a folder; each write is locked by the store.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from talewright.common.plain_files import open_plain

PRESENCE_FILE = ".in_use"
"""An empty file, on which every program that plays or serves holds a shared lock until it ends."""


@contextmanager
def enter_saves(saves: Path) -> Iterator[bool]:
    """Register this program in a folder, if it exists; yields whether another program is using it."""
    file = _open(saves)
    try:
        yield file is not None and _share(file)
    finally:
        if file is not None:
            os.close(file)


def _open(saves: Path) -> int | None:
    # A program that cannot write here needs no warning.
    with suppress(OSError):
        return open_plain(saves / PRESENCE_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    return None


if sys.platform == "win32":  # pragma: no cover - another system, without shared locks

    def _share(file: int) -> bool:
        return False

else:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock

    def _share(file: int) -> bool:
        """Take a shared lock; returns whether others hold one too."""
        try:
            flock(file, LOCK_EX | LOCK_NB)
            others = False
        except OSError:
            others = True
        with suppress(OSError):
            flock(file, LOCK_SH | LOCK_NB)
        return others
