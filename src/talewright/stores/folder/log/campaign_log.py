"""The campaign log: reads and appends records under the campaign's lock.

Every frame is verified when it is read. Torn frames are set aside and cut off. Nothing is written after
damage or after a failed sync. Code within `async with` must not await.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, TornFrame
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.records import Accepted, Attempt, Commit, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import (
    CampaignStatus,
    ChronicleDamage,
    ChronicleError,
    DamagedError,
    UnsavedError,
)
from talewright.stores.folder.disk import CHRONICLE, Disk, FolderLayout
from talewright.stores.folder.file_lock import FileLock
from talewright.stores.folder.log.index_trie import ALL_KINDS, IndexedKind, IndexEntry, UnfitError
from talewright.stores.folder.log.log_file import (
    FramePlace,
    LogFile,
    PlacedFrame,
    UnknownOutcomeError,
    UnreadableTail,
    chain_frames,
    set_torn_aside,
    walk_frames,
)
from talewright.stores.folder.log.record_index import (
    SEQUENCE_STRIDE,
    IndexFile,
    LogFold,
    RecordIndex,
    sequence_key,
)


class CampaignLogReader:
    """The records of one open campaign. Callers hold the lock unless stated otherwise."""

    def __init__(self, disk: Disk, layout: FolderLayout) -> None:
        self._disk = disk
        self._layout = layout
        self._unknown = False
        """A sync failed, so the content of the disk is unknown: nothing more is read or written."""

        self._format = SaveFormat()
        self._catalogue = RecordIndex()
        self.damage: ChronicleDamage | None = None
        self.outrun: LogFold | None = None
        """What the index had seen of the log, if the log no longer contained it at opening."""

        self._log = LogFile(disk, layout.chronicle)
        try:
            self._open()
        except (OSError, ChronicleError):
            self.close()
            raise

    @property
    def standing(self) -> LogFold:
        """The current state of the log."""
        return self._catalogue.standing

    def catch_up(self) -> bool:
        """Read what other processes have written; False if the chronicle was replaced by another file."""
        if self._unknown:
            return True
        size = self._log.glance()
        if size is None:
            return False
        if size != self._catalogue.standing.end and self.damage is None:
            self._read_on_or_rebuild()
        return True

    def rebuild(self) -> None:
        """Read the whole log, because the index cannot be trusted."""
        self._catalogue.forget()
        self.damage = None
        self._read_on()
        # An index that ends before the damage lets every later opening find the damage at once.
        self._catalogue.flush()

    def fetch(self, key: str, kinds: frozenset[IndexedKind] = ALL_KINDS) -> list[tuple[IndexEntry, Record]]:
        """The records of some kinds under a key, oldest first."""
        try:
            found = self._catalogue.find(key)
            return [(entry, self._read(entry.place)) for entry in found if entry.kind in kinds]
        except UnfitError:
            self.rebuild()
            found = self._catalogue.find(key)
            return [(entry, self._read(entry.place)) for entry in found if entry.kind in kinds]

    def look(self, branch: str = "") -> CampaignStatus:
        """The status of a branch, or of the one that moved last, with its waiting inputs."""
        name = branch or self.standing.newest_branch
        try:
            waiting, newest = _read_waiting(self.standing, name, self._read)
        except UnfitError:
            self.rebuild()
            waiting, newest = _read_waiting(self.standing, name, self._read)
        return CampaignStatus(
            branch=name,
            head=self.standing.branches.get(name, ""),
            sequence=self.standing.sequence,
            waiting=tuple(record for record in waiting if isinstance(record, Accepted)),
            newest_attempt=newest if isinstance(newest, Attempt) else None,
            spent=self.standing.spent,
            damage=self.damage,
        )

    def scan(self, after: int = -1) -> Iterator[Record | None]:
        """The verified records after the commit with a sequence number; a final None means a bad record.

        The start is found under the lock; the iteration itself needs no lock.
        """
        begin, chain = 0, GENESIS
        if after >= 0:
            known = self.fetch(sequence_key(after - after % SEQUENCE_STRIDE))
            place = known[0][0].place if known else FramePlace(self.standing.end, 0, self.standing.chain)
            begin, chain = place.offset, place.previous
        end = self._log.size if self.damage is not None else self.standing.end
        return _walk_records(walk_frames(self._log.read, begin, chain, end), self._format, after)

    def walk(self) -> Iterator[PlacedFrame | UnreadableTail]:
        """Every frame from the first, verified."""
        return walk_frames(self._log.read, 0, GENESIS, self.standing.end)

    def tidy(self) -> None:
        """Write everything to the index, so that the next opening is fast."""
        self._catalogue.tidy()

    def close(self) -> None:
        """Close the files."""
        self._log.close()
        self._catalogue.close()

    def _open(self) -> None:
        """Read the state from the index and the end of the log, or from the whole log."""
        first = next(walk_frames(self._log.read, 0, GENESIS, self._log.size), UnreadableTail(0, TornFrame(0)))
        if isinstance(first, PlacedFrame):
            try:
                self._format = format_of(first.frame.record)
                index = IndexFile(self._disk, self._layout.index, first.frame.chain)
            except RecordCodecError as error:
                self._note(0, error.message)
            except OSError:
                # Without an index, everything is found by reading the whole log.
                self._catalogue = RecordIndex()
            else:
                self._catalogue = RecordIndex(index)
                self.outrun = self._catalogue.load(self._log)
        if self.damage is None:
            self._read_on_or_rebuild()

    def _read_on_or_rebuild(self) -> None:
        try:
            self._read_on()
        except UnfitError:
            self.rebuild()

    def _read_on(self) -> None:
        """Read every new frame; set a torn one aside, and note damage."""
        size, begin = self._log.size, self.standing.end
        if size < begin:
            # Frames that this process has seen are gone. No crash of a program does that.
            self.rebuild()
            self._note(size, "the file was truncated while the campaign was open")
        if size <= begin:
            if size == 0:
                self._note(0, "the file is empty")
            return
        # The writer may have died before its sync: sync first, so that only durable frames are accepted.
        self._log.sync()
        for item in walk_frames(self._log.read, begin, self.standing.chain, size):
            if isinstance(item, UnreadableTail):
                if not isinstance(item.why, TornFrame):
                    self._note(item.offset, item.why.reason)
                elif item.offset == 0:
                    # A campaign's folder appears complete, with its first record: this is not an interrupted
                    # write.
                    self._note(0, "the first record is incomplete")
                else:
                    set_torn_aside(self._disk, self._layout, self._log, item.offset, size)
                return
            try:
                self._catalogue.take(item, self._format.read(item.frame.record))
            except RecordCodecError as error:
                self._note(item.place.offset, error.message)
                return
        self._catalogue.settle(self._log)

    def _read(self, place: FramePlace) -> Record:
        found = self._log.read_at(place)
        if not isinstance(found, RecordFrame):
            raise UnfitError("a frame is not where it was, or not what it was")
        return self._format.read(found.record)

    def _note(self, offset: int, reason: str) -> None:
        self.damage = ChronicleDamage(f"{CHRONICLE}, byte {offset}", reason, self.standing.newest)


def _read_waiting(
    standing: LogFold, branch: str, read: Callable[[FramePlace], Record]
) -> tuple[list[Record], Record | None]:
    """The waiting inputs of a branch, and its newest attempt."""
    newest = standing.tries.get(branch)
    return [read(place) for place in standing.find_waiting(branch)], None if newest is None else read(newest)


def _walk_records(
    frames: Iterator[PlacedFrame | UnreadableTail], form: SaveFormat, after: int
) -> Iterator[Record | None]:
    """The records after the commit with a sequence number; a final None means a bad record."""
    passed = after < 0
    for item in frames:
        try:
            record = None if isinstance(item, UnreadableTail) else form.read(item.frame.record)
        except RecordCodecError:
            record = None
        if passed or record is None:
            yield record
        if record is None:
            return
        passed = passed or (isinstance(record, Commit) and record.sequence >= after)


NOWHERE: AbstractContextManager[None] = nullcontext()
"""For writes without a crash point."""


class CampaignLog(CampaignLogReader):
    """The records of one open campaign, with writing."""

    def check(self) -> None:
        """Verify every frame, so that damage that was not read yet is noted."""
        frames = walk_frames(self._log.read, 0, GENESIS, self.standing.end)
        if self.damage is None and any(isinstance(item, UnreadableTail) for item in frames):
            self.rebuild()

    def holds(self, end: int, chain: bytes) -> bool:
        """Whether the log ends, or once ended, at an offset with this chain."""
        standing = self.standing
        if end >= standing.end:
            return end == standing.end and chain == standing.chain
        item = next(walk_frames(self._log.read, end, chain, standing.end), None)
        return isinstance(item, PlacedFrame)

    def refuse(self) -> None:
        """Raise an error if writing is not safe: after damage, or after a failed sync."""
        if self.damage is not None:
            raise damaged_log_error(self._layout.campaign, self.damage)
        if self._unknown:
            raise UnsavedError(
                "the disk failed earlier; nothing is saved in this campaign until it is reopened",
                "Check the disk, then reopen the campaign: every turn that was reported as saved is there.",
            )

    def append(
        self,
        records: Sequence[Record],
        around_write: AbstractContextManager[None] = NOWHERE,
        around_sync: AbstractContextManager[None] = NOWHERE,
        around_move: AbstractContextManager[None] = NOWHERE,
    ) -> None:
        """Write records, all or none; they are on the disk when this returns."""
        self.refuse()
        catalogue = self._catalogue
        standing = catalogue.standing
        frames = chain_frames(standing.chain, [self._format.write(record) for record in records])
        try:
            self._log.append(standing.end, frames, around_write, around_sync)
        except UnknownOutcomeError:
            self._unknown = True
            raise
        with around_move:
            for frame, record in zip(frames, records, strict=True):
                catalogue.take(
                    PlacedFrame(FramePlace(standing.end, frame.size, standing.chain), frame), record
                )
        catalogue.settle(self._log)


def damaged_log_error(campaign: str, damage: ChronicleDamage) -> ChronicleError:
    """The error for writing to a damaged campaign."""
    return DamagedError(
        f"the campaign {campaign!r} is damaged ({damage.place}: {damage.reason}) and read-only",
        f"Run `talewright saves recover {campaign}`: it keeps every valid record, and the damaged file too.",
    )


class LockedCampaignLog:
    """The lock and the log of one open book."""

    def __init__(self, disk: Disk, layout: FolderLayout, lock: FileLock, annals: CampaignLog) -> None:
        self._disk = disk
        self._layout = layout
        self._lock = lock
        self._closed = False
        self.annals = annals
        """In the state of the last time the lock was held."""

    async def __aenter__(self) -> CampaignLog:
        if self._closed:
            raise ChronicleError(f"the campaign {self._layout.campaign!r} was closed", "Reopen it.")
        if not self._lock.try_to_take():
            await self._lock.take()
        held = False
        try:
            if not self.annals.catch_up():
                self.annals.close()
                self.annals = CampaignLog(self._disk, self._layout)
            held = True
        except (OSError, UnfitError) as error:
            raise self._refuse(error) from error
        finally:
            if not held:
                self._lock.free()
        return self.annals

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._lock.free()
        if isinstance(error, OSError | UnfitError):
            raise self._refuse(error) from error

    def written(self) -> int:
        """The size of the log in bytes, whichever process wrote it; -1 if unknown. Takes no lock."""
        try:
            return -1 if self._closed else self._disk.status(str(self._layout.chronicle)).st_size
        except OSError:
            return -1

    def close(self) -> None:
        """Close the log and the lock."""
        self._closed = True
        self.annals.close()
        self._lock.close()

    def _refuse(self, error: OSError | UnfitError) -> ChronicleError:
        if isinstance(error, UnfitError):
            return DamagedError(
                f"the chronicle of {self._layout.campaign!r} returns different data each time it is read",
                "The disk may be failing: check it before you write anything else to it.",
            )
        if isinstance(error, FileNotFoundError) and not self._layout.folder.is_dir():
            return UnsavedError(
                f"the campaign {self._layout.campaign!r} was removed or moved while it was open",
                f"Look for it in {self._layout.folder.parent}, or choose another from the list.",
            )
        return UnsavedError(
            f"disk error: {error.strerror or error}",
            "Check the disk, then try again. Every turn that was reported as saved is safe.",
        )
