"""The log file: reads the frames of `chronicle.jsonl` and appends to them.

It handles bytes and their hash chain, not the meaning of records.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, TypeAlias

from talewright.chronicle.chained_lines import BrokenFrame, RecordFrame, TornFrame, frame, read_frame
from talewright.chronicle.store import UnsavedError
from talewright.common.frozen_values import frozen
from talewright.stores.folder.disk import (
    Disk,
    FolderLayout,
    make_inner_folder,
    read_all,
    write_all,
    write_file,
)

READ_BYTES = 64 * 1024
"""How many bytes to read at a time; longer frames are read in larger pieces."""


class FramePlace(NamedTuple):
    """Where a frame is, and the chain before it. A tuple, because there is one for every frame read."""

    offset: int
    size: int
    previous: bytes
    """The chain before it."""

    @property
    def end(self) -> int:
        """The offset of the next frame."""
        return self.offset + self.size


class PlacedFrame(NamedTuple):
    """A valid frame and its place."""

    place: FramePlace
    frame: RecordFrame


@frozen
class UnreadableTail:
    """Why reading stopped: the bytes from here on are torn or broken."""

    offset: int
    why: TornFrame | BrokenFrame

    @property
    def torn(self) -> bool:
        """Whether the bytes merely end too early."""
        return isinstance(self.why, TornFrame)


BytesReader: TypeAlias = Callable[[int, int], bytes]
"""Takes a size and an offset, returns the bytes there; fewer only at the end."""


def slice_reader(data: bytes, begin: int = 0) -> BytesReader:
    """A reader of bytes in memory, the first of which is at an offset."""
    return lambda size, offset: data[offset - begin : offset - begin + size]


def walk_frames(
    read: BytesReader, offset: int, chain: bytes, end: int
) -> Iterator[PlacedFrame | UnreadableTail]:
    """Every frame from an offset to an end, verified; an UnreadableTail comes last if one is invalid."""
    data, begin = b"", offset
    piece = READ_BYTES
    while offset < end:
        found = read_frame(data, offset - begin, chain)
        if isinstance(found, RecordFrame):
            place = FramePlace(offset, found.size, chain)
            yield PlacedFrame(place, found)
            offset, chain = place.end, found.chain
        elif isinstance(found, BrokenFrame) or begin + len(data) >= end:
            yield UnreadableTail(offset, found)
            return
        else:
            # The buffer ends within a frame; if all of it is one frame, that frame is a long one.
            piece = 2 * piece if data and offset == begin else piece
            wanted = min(piece, end - offset)
            data, begin = read(wanted, offset), offset
            end = end if len(data) == wanted else offset + len(data)


class LogFile:
    """An open chronicle file."""

    def __init__(self, disk: Disk, path: Path, *, writable: bool = True) -> None:
        self._disk = disk
        self._path = str(path)
        self._file = disk.open(path, os.O_RDWR | os.O_APPEND if writable else os.O_RDONLY)
        status = os.fstat(self._file)
        self._identity = (status.st_ino, status.st_dev)

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self._disk.size(self._file)

    def glance(self) -> int | None:
        """The size of the file in bytes; None if another file has replaced it, as after a recovery."""
        status = self._disk.status(self._path)
        if status.st_ino != self._identity[0] or status.st_dev != self._identity[1]:
            return None
        return status.st_size

    def read(self, size: int, offset: int) -> bytes:
        """Bytes at an offset; fewer only at the end of the file."""
        return read_all(self._disk, self._file, size, offset)

    def read_at(self, place: FramePlace) -> RecordFrame | TornFrame | BrokenFrame:
        """The frame at a place, verified."""
        return read_frame(self.read(place.size, place.offset), 0, place.previous)

    def sync(self) -> None:
        """Return when everything is on the disk, including writes of a process that died before its sync."""
        self._disk.sync_data(self._file)

    def cut(self, end: int) -> None:
        """Cut off bytes that were never acknowledged."""
        self._disk.truncate(self._file, end)
        self._disk.sync(self._file)

    def append(
        self,
        end: int,
        frames: list[RecordFrame],
        around_write: AbstractContextManager[None],
        around_sync: AbstractContextManager[None],
    ) -> None:
        """Append frames in one write, and return when they are on the disk."""
        data = b"".join([one.line for one in frames])
        try:
            with around_write:
                write_all(self._disk, self._file, data)
        except OSError as error:
            raise UnsavedError(
                f"the turn could not be written to the disk: {error.strerror or error}",
                "Free some disk space or check the disk, then try again. Everything saved before is safe."
                + self._undo(end),
            ) from error
        try:
            with around_sync:
                self._disk.sync_data(self._file)
        except OSError as error:
            # After a failed sync the system may report bytes as written that never reached the disk, and a
            # second sync may then succeed without them. So they are cut off: they were never acknowledged.
            self._undo(end)
            raise UnknownOutcomeError(
                f"the disk failed while saving, so this may not have been saved: {error.strerror or error}",
                "Check the disk, then reopen the campaign to see whether it was saved. If not, enter it "
                "again.",
            ) from error

    def close(self) -> None:
        """Close the file. The descriptor is cleared, since the system may reuse the number."""
        file, self._file = self._file, -1
        if file >= 0:
            self._disk.close(file)

    def _undo(self, end: int) -> str:
        """Cut off the remains of a failed write; returns a remark if that fails too."""
        try:
            self._disk.truncate(self._file, end)
        except OSError:
            return " The incomplete write is set aside when the campaign is next written or opened."
        return ""


class UnknownOutcomeError(UnsavedError):
    """A sync failed: this book writes nothing more."""


def chain_frames(chain: bytes, records: list[bytes]) -> list[RecordFrame]:
    """The frames of newly encoded records, chained."""
    frames: list[RecordFrame] = []
    for record in records:
        frames.append(frame(chain, record, encoded=True))
        chain = frames[-1].chain
    return frames


def set_torn_aside(disk: Disk, layout: FolderLayout, log: LogFile, offset: int, size: int) -> None:
    """Set aside the start of an unfinished frame, then cut it off."""
    data = log.read(size - offset, offset)
    folder = layout.set_aside
    make_inner_folder(disk, folder)
    write_file(disk, folder / f"{offset}-{hashlib.sha256(data).hexdigest()[:8]}.torn", data)
    disk.sync_folder(folder)
    disk.sync_folder(layout.folder)
    log.cut(offset)
