"""The campaign's log: its records, read and appended to under the campaign's lock.

Every frame that is read is verified. What was torn is set aside and cut off; nothing is written behind
damage, and nothing after a sync that failed. Nothing within `async with` gives way to another task.
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
from talewright.stores.folder.log.index_file import IndexFile
from talewright.stores.folder.log.index_trie import UnfitError
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
from talewright.stores.folder.log.log_fold import (
    ALL_KINDS,
    SEQUENCE_STRIDE,
    IndexedKind,
    IndexEntry,
    LogFold,
    sequence_key,
)
from talewright.stores.folder.log.record_index import RecordIndex


class CampaignLogReader:
    """The records of one open campaign. Whoever calls holds the lock, if not said otherwise."""

    def __init__(self, disk: Disk, layout: FolderLayout) -> None:
        self._disk = disk
        self._layout = layout
        self._unknown = False
        """A sync failed, and what is on the disk is not known: nothing is read on or written."""

        self._format = SaveFormat()
        self._catalogue = RecordIndex()
        self.damage: ChronicleDamage | None = None
        self.outrun: LogFold | None = None
        """What the index had seen of the log when it was opened, where the log no longer held it."""

        self._log = LogFile(disk, layout.chronicle)
        try:
            self._open()
        except (OSError, ChronicleError):
            self.close()
            raise

    @property
    def standing(self) -> LogFold:
        """How the campaign stands."""
        return self._catalogue.standing

    def catch_up(self) -> bool:
        """Read what other processes wrote since; False where another chronicle lies in its place now."""
        if self._unknown:
            return True
        size = self._log.glance()
        if size is None:
            return False
        if size != self._catalogue.standing.end and self.damage is None:
            self._read_on_or_rebuild()
        return True

    def rebuild(self) -> None:
        """Read the whole log, as nothing that the index says can be trusted."""
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
        """How a branch stands, or the one that moved last, with the inputs that wait there."""
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
        """What comes after the commit with a counter, verified; None is the last where one is not good.

        Where it begins is found under the lock; the reading itself needs none.
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
        """Tell the index of everything, so that the next opening is quick."""
        self._catalogue.tidy()

    def close(self) -> None:
        """Let go of the files."""
        self._log.close()
        self._catalogue.close()

    def _open(self) -> None:
        """Find out how the campaign stands: from the index and the log's end, or from the whole log."""
        first = next(walk_frames(self._log.read, 0, GENESIS, self._log.size), UnreadableTail(0, TornFrame(0)))
        if isinstance(first, PlacedFrame):
            try:
                self._format = format_of(first.frame.record)
                index = IndexFile(self._disk, self._layout.index, first.frame.chain)
            except RecordCodecError as error:
                self._note(0, error.message)
            except OSError:
                # Without an index everything is found by reading the whole log.
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
        """Take up every frame behind the standing; set what is torn aside, and note what is broken."""
        size, begin = self._log.size, self.standing.end
        if size < begin:
            # This process knew of frames that are gone now. No crash of a program does that.
            self.rebuild()
            self._note(size, "the file has lost its end while the campaign was open")
        if size <= begin:
            if size == 0:
                self._note(0, "the file is empty")
            return
        # Whoever wrote it may have died before the sync: nothing is believed that is not on the disk.
        self._log.sync()
        for item in walk_frames(self._log.read, begin, self.standing.chain, size):
            if isinstance(item, UnreadableTail):
                if not isinstance(item.why, TornFrame):
                    self._note(item.offset, item.why.reason)
                elif item.offset == 0:
                    # A campaign is put in its place whole, with its first record: no write was cut short.
                    self._note(0, "the first record is not whole")
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
    """The inputs that wait on a branch, and its newest try."""
    newest = standing.tries.get(branch)
    return [read(place) for place in standing.find_waiting(branch)], None if newest is None else read(newest)


def _walk_records(
    frames: Iterator[PlacedFrame | UnreadableTail], form: SaveFormat, after: int
) -> Iterator[Record | None]:
    """The records of frames that come after the commit with a counter; None is the last where one is bad."""
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
"""Around a write at which no crash point stands."""


class CampaignLog(CampaignLogReader):
    """The records of one open campaign."""

    def check(self) -> None:
        """Verify every frame, so that damage behind which nobody has looked is noted."""
        frames = walk_frames(self._log.read, 0, GENESIS, self.standing.end)
        if self.damage is None and any(isinstance(item, UnreadableTail) for item in frames):
            self.rebuild()

    def holds(self, end: int, chain: bytes) -> bool:
        """Whether the log ended at an offset with this chain once: it still does, or goes on from there."""
        standing = self.standing
        if end >= standing.end:
            return end == standing.end and chain == standing.chain
        item = next(walk_frames(self._log.read, end, chain, standing.end), None)
        return isinstance(item, PlacedFrame)

    def refuse(self) -> None:
        """Refuse to write where that would be behind damage, or not known to be behind what is there."""
        if self.damage is not None:
            raise damaged_log_error(self._layout.campaign, self.damage)
        if self._unknown:
            raise UnsavedError(
                "the disk failed earlier, and nothing is saved in this campaign until it is opened again",
                "See to the disk, then open the campaign again: everything that was acknowledged is there.",
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
    """What whoever writes to a damaged campaign is told."""
    return DamagedError(
        f"the campaign {campaign!r} is damaged ({damage.place}: {damage.reason}) and can only be read",
        f"Run `talewright saves recover {campaign}`: it keeps every good record, and the damaged file too.",
    )


class LockedCampaignLog:
    """The lock and the annals of one open book."""

    def __init__(self, disk: Disk, layout: FolderLayout, lock: FileLock, annals: CampaignLog) -> None:
        self._disk = disk
        self._layout = layout
        self._lock = lock
        self._closed = False
        self.annals = annals
        """As they were when they were last held."""

    async def __aenter__(self) -> CampaignLog:
        if self._closed:
            raise ChronicleError(f"the campaign {self._layout.campaign!r} was closed", "Open it again.")
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
        """How many bytes the log has, those of other processes included; takes no lock. -1: nobody knows."""
        try:
            return -1 if self._closed else self._disk.status(str(self._layout.chronicle)).st_size
        except OSError:
            return -1

    def close(self) -> None:
        """Let go of everything."""
        self._closed = True
        self.annals.close()
        self._lock.close()

    def _refuse(self, error: OSError | UnfitError) -> ChronicleError:
        if isinstance(error, UnfitError):
            return DamagedError(
                f"the chronicle of {self._layout.campaign!r} reads differently from one time to the next",
                "See to the disk before anything else is written to it.",
            )
        if isinstance(error, FileNotFoundError) and not self._layout.folder.is_dir():
            return UnsavedError(
                f"the campaign {self._layout.campaign!r} was removed or moved while it was open",
                f"Look for it in {self._layout.folder.parent}, or choose another from the list.",
            )
        return UnsavedError(
            f"the disk refused: {error.strerror or error}",
            "See to the disk, then try again. Everything that was acknowledged is kept.",
        )
