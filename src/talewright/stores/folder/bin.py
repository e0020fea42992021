"""The bin: where the folders of removed campaigns lie, each with all it had.

Nothing is deleted here. A folder that is moved back under a campaign's name is that campaign again.
"""

import errno
import os
import re
from contextlib import ExitStack, suppress
from pathlib import Path

from talewright.chronicle.store import UnsavedError
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.layout import Layout
from talewright.stores.folder.lock import Lock

BIN = ".bin"
"""The folder beside the campaigns; no campaign can have this name, so it is in no list."""

_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)
_UNFIT = re.compile("[^0-9A-Za-z]")
_STAMP_LENGTH = 15
"""Characters of a time that are kept: `20260131T235959`."""


async def put_into_bin(disk: Disk, layout: Layout, at: str) -> Path:
    """Move a campaign's folder into the bin, while nobody writes in it; its new place."""
    folder = layout.folder
    place = folder.parent / BIN
    name = f"{folder.name}-{_UNFIT.sub('', at)[:_STAMP_LENGTH]}"
    with ExitStack() as undo:
        # A folder whose lock cannot even be opened is one in which nobody writes.
        with suppress(OSError):
            lock = Lock(disk, layout.lock)
            undo.callback(lock.close)
            await lock.take()
        if os.name == "nt":  # pragma: no cover - another system, where no folder moves that has an open file
            undo.close()
        try:
            disk.make_folder(place)
            target = _move(disk, folder, place, name)
            disk.sync_folder(place)
            disk.sync_folder(folder.parent)
        except OSError as error:
            raise UnsavedError(
                f"the campaign {folder.name!r} could not be put into the bin: {error.strerror or error}",
                f"Close whatever plays it, see to the disk and to who may write in {folder.parent}, "
                "then try again. Nothing of it was changed.",
            ) from error
    return target


def _move(disk: Disk, folder: Path, place: Path, name: str) -> Path:
    """Give the folder the first name that is free; two of one name may be removed in one second."""
    target, number = place / name, 1
    while True:
        try:
            if not target.exists():
                disk.move_folder(folder, target)
                return target
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
        number += 1
        target = place / f"{name}-{number}"
