"""The log file: frames of `chronicle.jsonl`, read forwards and written only at the end.

It knows bytes and their chain, not what a record says.
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
"""How much is read at a time; a frame that is longer is read in larger pieces."""


class FramePlace(NamedTuple):
    """Where a frame stands, and what it is bound to. A tuple, as there is one for every frame that is met."""

    offset: int
    size: int
    previous: bytes
    """The chain before it."""

    @property
    def end(self) -> int:
        """Where the next frame begins."""
        return self.offset + self.size


class PlacedFrame(NamedTuple):
    """A good frame and where it stands."""

    place: FramePlace
    frame: RecordFrame


@frozen
class UnreadableTail:
    """Why reading went no further: the bytes from here on are torn or broken."""

    offset: int
    why: TornFrame | BrokenFrame

    @property
    def torn(self) -> bool:
        """Whether the bytes just end too early."""
        return isinstance(self.why, TornFrame)


BytesReader: TypeAlias = Callable[[int, int], bytes]
"""Given a size and an offset, the bytes there; fewer only at the end of everything."""


def slice_reader(data: bytes, begin: int = 0) -> BytesReader:
    """A reader of bytes in memory, the first of which stands at an offset."""
    return lambda size, offset: data[offset - begin : offset - begin + size]


def walk_frames(
    read: BytesReader, offset: int, chain: bytes, end: int
) -> Iterator[PlacedFrame | UnreadableTail]:
    """Every frame from an offset up to an end, each verified; a Stop is the last where one is not good."""
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
            # The bytes at hand end within a frame; where they are all of one frame, it is a long one.
            piece = 2 * piece if data and offset == begin else piece
            wanted = min(piece, end - offset)
            data, begin = read(wanted, offset), offset
            end = end if len(data) == wanted else offset + len(data)


class LogFile:
    """One open chronicle file."""

    def __init__(self, disk: Disk, path: Path, *, writable: bool = True) -> None:
        self._disk = disk
        self._path = str(path)
        self._file = disk.open(path, os.O_RDWR | os.O_APPEND if writable else os.O_RDONLY)
        status = os.fstat(self._file)
        self._identity = (status.st_ino, status.st_dev)

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self._disk.size(self._file)

    def glance(self) -> int | None:
        """How many bytes the file has; None where another lies in its place, as after a recovery."""
        status = self._disk.status(self._path)
        if status.st_ino != self._identity[0] or status.st_dev != self._identity[1]:
            return None
        return status.st_size

    def read(self, size: int, offset: int) -> bytes:
        """Bytes from an offset on; fewer only at the end of the file."""
        return read_all(self._disk, self._file, size, offset)

    def read_at(self, place: FramePlace) -> RecordFrame | TornFrame | BrokenFrame:
        """The frame at a place, verified."""
        return read_frame(self.read(place.size, place.offset), 0, place.previous)

    def sync(self) -> None:
        """Return when everything is on the disk, also what a process wrote that died before its sync."""
        self._disk.sync_data(self._file)

    def cut(self, end: int) -> None:
        """Cut bytes off that were never acknowledged."""
        self._disk.truncate(self._file, end)
        self._disk.sync(self._file)

    def append(
        self,
        end: int,
        frames: list[RecordFrame],
        around_write: AbstractContextManager[None],
        around_sync: AbstractContextManager[None],
    ) -> None:
        """Write frames behind the end, in one piece, and return when they are on the disk."""
        data = b"".join([one.line for one in frames])
        try:
            with around_write:
                write_all(self._disk, self._file, data)
        except OSError as error:
            raise UnsavedError(
                f"the disk did not take what was to be saved: {error.strerror or error}",
                "Make room on the disk or see to it, then try again. Everything saved before is safe."
                + self._undo(end),
            ) from error
        try:
            with around_sync:
                self._disk.sync_data(self._file)
        except OSError as error:
            # After a sync that failed the system may call bytes written that never reached the disk, and
            # a second sync may then succeed without them. So they are cut off: nobody was told of them.
            self._undo(end)
            raise UnknownOutcomeError(
                f"the disk failed while saving, so it is not known whether this was saved: "
                f"{error.strerror or error}",
                "See to the disk, then open the campaign again: what was saved is there, and what was not "
                "can be said again.",
            ) from error

    def close(self) -> None:
        """Let go of the file; a number that another file may get must not be used again."""
        file, self._file = self._file, -1
        if file >= 0:
            self._disk.close(file)

    def _undo(self, end: int) -> str:
        """Cut off what a failed write left; a remark where that fails as well."""
        try:
            self._disk.truncate(self._file, end)
        except OSError:
            return " What is left of it is set aside when the campaign is next written or opened."
        return ""


class UnknownOutcomeError(UnsavedError):
    """A sync failed: the same book writes nothing more."""


def chain_frames(chain: bytes, records: list[bytes]) -> list[RecordFrame]:
    """Frames of records that were just encoded, one behind the other."""
    frames: list[RecordFrame] = []
    for record in records:
        frames.append(frame(chain, record, encoded=True))
        chain = frames[-1].chain
    return frames


def set_torn_aside(disk: Disk, layout: FolderLayout, log: LogFile, offset: int, size: int) -> None:
    """Keep the beginning of a frame that was never finished, then cut it off."""
    data = log.read(size - offset, offset)
    folder = layout.set_aside
    make_inner_folder(disk, folder)
    write_file(disk, folder / f"{offset}-{hashlib.sha256(data).hexdigest()[:8]}.torn", data)
    disk.sync_folder(folder)
    disk.sync_folder(layout.folder)
    log.cut(offset)
