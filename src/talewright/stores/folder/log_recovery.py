"""Log recovery: builds a new chronicle from every valid frame in the damaged one and in git.

Nothing is repaired in place and nothing is guessed: the damaged file is kept, and a frame is used only if the
hash chain proves that it belongs there.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.records import Commit
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import DamagedError, UnknownCampaignError, UnsavedError
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.disk import (
    LISTING,
    NEW,
    Disk,
    FolderLayout,
    make_inner_folder,
    write_all,
    write_file,
)
from talewright.stores.folder.file_lock import FileLock
from talewright.stores.folder.listing_file import (
    ListingFile,
    LostEnd,
    parse_listing,
    read_listing,
    write_listing,
)
from talewright.stores.folder.log.log_file import (
    BytesReader,
    LogFile,
    PlacedFrame,
    UnreadableTail,
    slice_reader,
    walk_frames,
)
from talewright.stores.folder.log.record_index import IndexFile
from talewright.stores.folder.pages.git_history import GitChroniclePart, GitError, GitHistory

LOST_BYTES_READ_MAX = 64 * 1024 * 1024
"""How many bytes after the last valid record are searched for lines."""


@frozen
class LogRecovery:
    """The result of a recovery."""

    campaign: str
    records: int
    """Valid records in the chronicle now."""

    from_git: int
    """How many of them came from git."""

    newest: str
    """The id of the newest commit among them."""

    lost_bytes: int = 0
    """Bytes of the damaged file after the last valid record that could not be recovered."""

    lost_lines: int = 0
    """Lines in those bytes: about as many records, most of them intact but no longer provable."""

    set_aside: str = ""
    """Where the damaged file is now; empty if nothing was damaged and nothing was done."""

    lost: LostEnd | None = None
    """How long the chronicle once was, if that could not be restored."""

    kept: str = ""
    """Where the complete old chronicle was saved, if git had all of it."""

    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Gathering:
    """Collects frames from the sources for the new file."""

    file: BytesReader
    file_size: int
    history: GitHistory | None
    parts: list[GitChroniclePart]
    end: int = 0
    chain: bytes = GENESIS
    records: int = 0
    from_git: int = 0
    newest: str = ""
    at: str = ""
    format: SaveFormat = field(default_factory=SaveFormat)
    part: GitChroniclePart | None = None
    part_data: bytes = b""
    """The part of git that was read last, and its bytes."""

    chains: dict[int, bytes] = field(default_factory=dict)
    """The chain at the end of every frame."""

    def gather(self) -> Iterator[bytes]:
        """The line of every frame that can be proved, in order."""
        while True:
            before = self.end
            for item in walk_frames(self.file, self.end, self.chain, self.file_size):
                if isinstance(item, UnreadableTail) or not self._note(item):
                    break
                yield item.frame.line
            # After a frame from git, the damaged file may be valid again: it is tried first.
            found = self._ask_git()
            if found is not None and self._note(found):
                self.from_git += 1
                yield found.frame.line
            if self.end == before:
                return

    def _ask_git(self) -> PlacedFrame | None:
        """The next frame, from any part that has it; the part of the previous frame is tried first."""
        last = [self.part] if self.part is not None else []
        for part in (*last, *self.parts):
            if part.begin <= self.end < part.end:
                if part is not self.part:
                    self.part, self.part_data = part, self._read_part(part)
                end = part.begin + len(self.part_data)
                read = slice_reader(self.part_data, part.begin)
                item = next(walk_frames(read, self.end, self.chain, end), None)
                if isinstance(item, PlacedFrame):
                    return item
        return None

    def _read_part(self, part: GitChroniclePart) -> bytes:
        try:
            return self.history.read_part(part) if self.history is not None else b""
        except GitError:
            return b""

    def _note(self, item: PlacedFrame) -> bool:
        """Add a frame; False if its record cannot be decoded."""
        try:
            if self.end == 0:
                self.format = format_of(item.frame.record)
            record = self.format.read(item.frame.record)
        except RecordCodecError:
            return False
        self.end, self.chain, self.at = item.place.end, item.frame.chain, record.at
        self.records += 1
        self.chains[self.end] = self.chain
        self.newest = record.id if isinstance(record, Commit) else self.newest
        return True


def recover_in_words(folder: Path) -> Iterator[str]:
    """Recover a campaign; yields a report line by line."""
    found = recover_log(folder, disk=Disk())
    if not found.set_aside and found.lost is None:
        yield f"{found.campaign} is intact: {found.records} records, nothing to recover."
    elif not found.set_aside:
        yield f"{found.campaign} has {found.records} valid records."
    else:
        git = f", {found.from_git} of them from git" if found.from_git else ""
        yield f"{found.campaign} has {found.records} valid records{git}."
        yield f"The damaged file was saved as {found.set_aside}."
        if found.lost_bytes:
            yield f"{found.lost_bytes} bytes, about {found.lost_lines} records, could not be recovered."
        yield f"To continue: talewright play --campaign {found.campaign}"
    if found.lost is not None:
        yield from _tell_lost(found, found.lost)
    yield from found.notices


def _tell_lost(found: LogRecovery, lost: LostEnd) -> Iterator[str]:
    once = f"{lost.records} records" if lost.records else f"{lost.end} bytes"
    yield f"It once had {once}; the newest are lost and cannot be appended to the records it has now."
    if found.kept:
        yield f"The old chronicle was saved as {found.kept}. To continue from it, copy the campaign's"
        yield "folder under another name, and replace chronicle.jsonl in the copy by this file."


def recover_log(folder: Path, *, disk: Disk, git: bool = True) -> LogRecovery:
    """Replace a damaged chronicle by one of all valid records; play can continue from there."""
    folder = Path(os.path.abspath(folder))
    layout = FolderLayout(folder)
    if not folder.is_dir():
        raise UnknownCampaignError(
            f"there is no campaign {folder.name!r}", "Run `talewright saves` to list the campaigns."
        )
    try:
        lock = FileLock(disk, layout.lock)
        try:
            lock.take_blocking()
            return _recover(layout, disk, GitHistory(layout) if git else None)
        finally:
            lock.close()
    except OSError as error:
        raise UnsavedError(
            f"the campaign {folder.name!r} could not be recovered: {error.strerror or error}",
            "Check the disk, then try again. The damaged file was not changed.",
        ) from error


def _recover(layout: FolderLayout, disk: Disk, history: GitHistory | None) -> LogRecovery:
    notices: list[str] = []
    log = _open_log(disk, layout)
    read, size = (slice_reader(b""), 0) if log is None else (log.read, log.size)
    parts: list[GitChroniclePart] = []
    if history is not None:
        try:
            parts = history.parts()
        except GitError as error:
            notices.append(f"the copy in git could not be used: {error}")
    gathering = _Gathering(read, size, history, parts)
    new = layout.chronicle.with_name(layout.chronicle.name + NEW)
    _write(disk, new, gathering)
    if gathering.end == 0:
        new.unlink()
        raise DamagedError(
            f"nothing of the campaign {layout.campaign!r} can be recovered: its first record is damaged, "
            "and git has no copy of it",
            "Restore the folder from a backup. Nothing in it was changed.",
        )
    lost_bytes = max(0, size - gathering.end)
    lost_lines = read(min(lost_bytes, LOST_BYTES_READ_MAX), gathering.end).count(b"\n") or min(lost_bytes, 1)
    if log is not None:
        # Not every system replaces a file that is open.
        log.close()
    aside = ""
    if gathering.end == size and not gathering.from_git:
        new.unlink()
    else:
        aside = _exchange(disk, layout, new)
    card, noticed = _read_card(disk, layout, history)
    notices += noticed
    lost = _find_lost(disk, layout, card, gathering)
    kept = _keep_lost(disk, layout, gathering, lost) if lost is not None else ""
    _renew_card(disk, layout, card, gathering, lost)
    return LogRecovery(
        campaign=layout.campaign,
        records=gathering.records,
        from_git=gathering.from_git,
        newest=gathering.newest,
        lost_bytes=lost_bytes,
        lost_lines=lost_lines,
        set_aside=aside,
        lost=lost,
        kept=kept,
        notices=tuple(notices),
    )


def _open_log(disk: Disk, layout: FolderLayout) -> LogFile | None:
    """The damaged chronicle; None if it is missing or not a regular file."""
    try:
        return LogFile(disk, layout.chronicle)
    except (FileNotFoundError, OddFileError):
        return None


def _write(disk: Disk, path: Path, gathering: _Gathering) -> None:
    """Write the new chronicle next to the old one, and sync it before any file is replaced."""
    path.unlink(missing_ok=True)
    file = disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        for line in gathering.gather():
            write_all(disk, file, line)
        disk.sync(file)
    finally:
        disk.close(file)


def _exchange(disk: Disk, layout: FolderLayout, new: Path) -> str:
    """Keep the damaged file under another name, then replace it atomically."""
    make_inner_folder(disk, layout.set_aside)
    aside = ""
    if os.path.lexists(layout.chronicle):
        number = 1
        while os.path.lexists(layout.set_aside / f"{number}-{layout.chronicle.name}"):
            number += 1
        target = layout.set_aside / f"{number}-{layout.chronicle.name}"
        if layout.chronicle.is_symlink() or not layout.chronicle.is_file():
            # It cannot be opened, but it can be moved.
            disk.replace(layout.chronicle, target)
        else:
            _keep_copy(disk, layout.chronicle, target)
        disk.sync_folder(layout.set_aside)
        aside = target.relative_to(layout.folder).as_posix()
    disk.replace(new, layout.chronicle)
    disk.sync_folder(layout.folder)
    return aside


def _keep_copy(disk: Disk, path: Path, target: Path) -> None:
    """Keep a file under a second name, by a hard link or a copy."""
    try:
        os.link(path, target)
    except OSError:
        # Not every file system has hard links.
        shutil.copyfile(path, target)
    file = disk.open(target, os.O_RDWR)
    try:
        disk.sync(file)
    finally:
        disk.close(file)


def _find_lost(disk: Disk, layout: FolderLayout, card: ListingFile, gathering: _Gathering) -> LostEnd | None:
    """The farthest end in the listing, the index or git that the new chronicle does not contain."""
    known = [LostEnd(card.end, card.chain, card.records), *([] if card.lost is None else [card.lost])]
    known += [LostEnd(part.end, part.chain) for part in gathering.parts]
    first = next(iter(gathering.chains.values()), GENESIS)
    with suppress(OSError):
        index = IndexFile(disk, layout.index, first)
        head = index.look()
        index.close()
        known += (
            [] if head is None else [LostEnd(head.standing.end, head.standing.chain, head.standing.count)]
        )
    missing = [one for one in known if one.end and gathering.chains.get(one.end) != one.chain]
    return max(missing, key=lambda one: (one.end, one.records), default=None)


def _keep_lost(disk: Disk, layout: FolderLayout, gathering: _Gathering, lost: LostEnd) -> str:
    """Save the complete old chronicle if git has all of it; returns its path."""
    older = _Gathering(slice_reader(b""), 0, gathering.history, gathering.parts)
    target = layout.set_aside / f"lost-{lost.end}-{layout.chronicle.name}"
    lines = list(older.gather())
    if older.chains.get(lost.end) != lost.chain:
        return ""
    make_inner_folder(disk, layout.set_aside)
    write_file(disk, target, b"".join(lines)[: lost.end])
    disk.sync_folder(layout.set_aside)
    return target.relative_to(layout.folder).as_posix()


def _read_card(disk: Disk, layout: FolderLayout, history: GitHistory | None) -> tuple[ListingFile, list[str]]:
    """The listing, from git if it is damaged; and notices about it."""
    card = read_listing(disk, layout)
    if card is None and history is not None:
        with suppress(GitError):
            card = parse_listing(history.read_page(LISTING))
    if card is not None:
        return card, []
    return ListingFile(), [f"{LISTING} was damaged: the campaign's description is unknown"]


def _renew_card(
    disk: Disk, layout: FolderLayout, card: ListingFile, gathering: _Gathering, lost: LostEnd | None
) -> None:
    """Update the listing for the new chronicle; lost records stay noted."""
    good = replace(card, at=gathering.at, end=gathering.end, chain=gathering.chain, damaged=False)
    sought = None if lost is None else replace(lost, sought=True)
    write_listing(disk, layout, replace(good, records=gathering.records, lost=sought))
