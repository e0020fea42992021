"""The folder book: reads and writes the records and open turns of one open campaign in a folder.

Every acknowledged write is on the disk. A write never awaits midway, so a cancelled caller leaves nothing
half done.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace

from talewright.chronicle.chained_lines import GENESIS, ChainEnd
from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot, read_slot, write_slot
from talewright.chronicle.readable_pages import CampaignPages, PageProjection
from talewright.chronicle.record_fold import cut_names, expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import (
    NAMES_PAGE_MAX,
    Acceptance,
    CampaignStatus,
    ChronicleError,
    DamagedError,
    HeadMovedError,
    OpenTurnMovedError,
    OperationTrail,
    UnknownCommitError,
)
from talewright.common.plain_files import OddFileError
from talewright.crashpoints import around
from talewright.stores.folder.blobs import FolderBlobs
from talewright.stores.folder.disk import Disk, FolderLayout, note_last, put_file, read_file, set_aside
from talewright.stores.folder.log.campaign_log import CampaignLog, LockedCampaignLog, damaged_log_error
from talewright.stores.folder.log.index_trie import IndexedKind
from talewright.stores.folder.log.log_file import UnreadableTail
from talewright.stores.folder.log.record_index import asides_key, commit_key, operation_key
from talewright.stores.folder.lost_records import list_git_ends, report_lost
from talewright.stores.folder.pages.page_projector import LogEndStamp, PageProjector
from talewright.stores.folder.pages.page_writer import ProjectionPosition

OPEN_TURNS_BYTES_MAX = 64 * 1024 * 1024
"""The maximum size of `open-turns.json` in bytes."""

_WRITE_ACCEPTED, _SYNC_ACCEPTED = around("write accepted"), around("sync accepted")
_WRITE, _SYNC, _MOVE_HEAD = around("write"), around("sync"), around("move head")
_WRITE_ASIDE = around("write aside")
"""The crash points around each write; they hold only their names."""

_COMMIT = frozenset({IndexedKind.COMMIT})
_ATTEMPT = frozenset({IndexedKind.ATTEMPT})
_ASIDE = frozenset({IndexedKind.ASIDE})


def find_trail(annals: CampaignLog, operation_id: str) -> OperationTrail:
    """The records of an operation."""
    records = [record for _, record in annals.fetch(operation_key(operation_id))]
    return OperationTrail(
        accepted=next((record for record in records if isinstance(record, Accepted)), None),
        commit=next((record for record in records if isinstance(record, Commit)), None),
        attempts=tuple(record for record in records if isinstance(record, Attempt)),
    )


def find_committed(annals: CampaignLog, operation_id: str) -> Commit | None:
    """The commit of an operation, or None."""
    for _, record in annals.fetch(operation_key(operation_id), _COMMIT):
        if isinstance(record, Commit):
            return record
    return None


def find_commit(annals: CampaignLog, campaign: str, commit: str) -> Commit:
    """A commit by its id."""
    for _, record in annals.fetch(commit_key(commit)):
        if isinstance(record, Commit):
            return record
    raise _unknown(annals, campaign, f"there is no commit {commit!r} in this campaign", "commits")


def find_line(annals: CampaignLog, campaign: str, commit: str, count: int) -> tuple[Commit, ...]:
    """A commit and its ancestors, newest first."""
    following = find_commit(annals, campaign, commit)
    line: list[Commit] = []
    while len(line) < count:
        line.append(following)
        if not following.parent:
            break
        following = find_commit(annals, campaign, following.parent)
    return tuple(line[: max(0, count)])


def find_parting(annals: CampaignLog, campaign: str, commit: str, other: str) -> Commit:
    """The newest common ancestor of two commits."""
    one, two = find_commit(annals, campaign, commit), find_commit(annals, campaign, other)
    while one.id != two.id:
        if one.version < two.version:
            one, two = two, one
        one = find_commit(annals, campaign, one.parent)
    return one


def find_asides(annals: CampaignLog, commits: frozenset[str]) -> tuple[Aside, ...]:
    """The asides made for any of these commits, oldest first."""
    found = [one for commit in commits for one in annals.fetch(asides_key(commit))]
    found.sort(key=lambda one: one[0].place.offset)
    return tuple(record for _, record in found if isinstance(record, Aside))


def find_head(annals: CampaignLog, campaign: str, branch: str) -> str:
    """The id of the commit a branch points at."""
    head = annals.standing.branches.get(branch)
    if head is None:
        raise _unknown(annals, campaign, f"there is no branch {branch!r} in this campaign", "branches")
    return head


def expect_head(annals: CampaignLog, campaign: str, branch: str, commit: str) -> None:
    """Raise HeadMovedError unless a branch points at a commit."""
    head = find_head(annals, campaign, branch)
    if head != commit:
        raise HeadMovedError(head)


def has_record(annals: CampaignLog, record: Attempt | Aside) -> bool:
    """Whether an attempt or aside with this id exists already."""
    attempt = isinstance(record, Attempt)
    key = operation_key(record.operation_id) if isinstance(record, Attempt) else asides_key(record.commit)
    found = annals.fetch(key, _ATTEMPT if attempt else _ASIDE)
    return any(isinstance(one, Attempt | Aside) and one.id == record.id for _, one in found)


def _unknown(annals: CampaignLog, campaign: str, what: str, things: str) -> ChronicleError:
    """The error for a missing record: it never existed, or it comes after damage."""
    if annals.damage is not None:
        return damaged_log_error(campaign, annals.damage)
    return UnknownCommitError(what, f"Run `talewright tree` to list the {things}.")


class FolderOpenTurns(FolderBlobs):
    """The turns of one campaign that outside game masters are narrating: `open-turns.json`.

    It is rewritten under the campaign's lock. It is working data: if it is damaged, it is set aside, and no
    turn is open.
    """

    def __init__(
        self, disk: Disk, layout: FolderLayout, hold: LockedCampaignLog, projector: PageProjector
    ) -> None:
        super().__init__(disk, layout, projector)
        self._hold = hold

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch, or None."""
        async with self._hold:
            return self._read_slots().get(branch, OpenTurnSlot()).turn

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Replace the open turn that has the expected revision; returns the saved one."""
        slot = await self._put_open_turn(turn.branch, turn, expected)
        assert slot.turn is not None
        return slot.turn

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Remove an open turn if it has the expected revision."""
        await self._put_open_turn(branch, None, expected)

    async def _put_open_turn(self, branch: str, turn: OpenTurn | None, expected: int) -> OpenTurnSlot:
        async with self._hold as annals:
            annals.refuse()
            slots = self._read_slots()
            before = slots.get(branch, OpenTurnSlot())
            if before.expected != expected:
                raise OpenTurnMovedError(before.turn)
            after = before.put(turn)
            if after != before:
                put_file(self._disk, self._layout.open_turns, _encode_slots({**slots, branch: after}))
            return after

    def _read_slots(self) -> dict[str, OpenTurnSlot]:
        path = self._layout.open_turns
        try:
            data = read_file(self._disk, path, OPEN_TURNS_BYTES_MAX)
        except FileNotFoundError:
            return {}
        except OddFileError:
            data = b""
        try:
            return {str(branch): read_slot(form) for branch, form in json.loads(data).items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            set_aside(self._disk, path, self._layout.set_aside, path.name)
            return {}


def _encode_slots(slots: Mapping[str, OpenTurnSlot]) -> bytes:
    forms = {branch: write_slot(slot) for branch, slot in slots.items()}
    return json.dumps(forms, ensure_ascii=False, allow_nan=False).encode()


class FolderReader(FolderOpenTurns):
    """Read access to the records of one campaign.

    It distinguishes missing records from records that come after damage.
    """

    @property
    def campaign(self) -> str:
        """The campaign's name."""
        return self._layout.campaign

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices since the campaign was opened, newest last; none of them affected a turn."""
        return tuple(notice.text for notice in self._projector.notices)

    async def look(self, branch: str = "") -> CampaignStatus:
        """The current status of a branch, including writes by other processes."""
        async with self._hold as annals:
            if branch:
                find_head(annals, self.campaign, branch)
            status = annals.look(branch)
        noticed = tuple(self._projector.notices)
        return replace(status, notices=noticed) if noticed else status

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the branches."""
        async with self._hold as annals:
            return cut_names(annals.standing.branches, after, limit)

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the marks."""
        async with self._hold as annals:
            return cut_names(annals.standing.marks, after, limit)

    async def read(self, commit: str) -> Commit:
        """A commit by its id."""
        async with self._hold as annals:
            return find_commit(annals, self.campaign, commit)

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and its ancestors, newest first, at most `count`."""
        async with self._hold as annals:
            return find_line(annals, self.campaign, commit, count)

    async def find(self, operation_id: str) -> OperationTrail:
        """The records of an operation."""
        async with self._hold as annals:
            return find_trail(annals, operation_id)

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        async with self._hold as annals:
            return find_asides(annals, commits)

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """The records after a commit, in order, up to those that existed when the reading started."""
        if limit is not None and limit <= 0:
            return
        async with self._hold as annals:
            scan, damaged = annals.scan(after), annals.damage is not None
        for count, record in enumerate(scan, 1):
            if record is None:
                raise await _find_damage(self._hold, self.campaign)
            yield record
            if count == limit:
                return
        if damaged:
            # Every record is valid, but some are missing: the file is empty or has lost its end.
            raise await _find_damage(self._hold, self.campaign)

    async def lines(self) -> AsyncIterator[bytes]:
        """The bytes of all records, unchanged: a `chronicle.store.RecordLines`."""
        async with self._hold as annals:
            frames, damage = annals.walk(), annals.damage
        for item in frames:
            if isinstance(item, UnreadableTail):
                raise await _find_damage(self._hold, self.campaign)
            yield item.frame.record
        if damage is not None:
            raise damaged_log_error(self.campaign, damage)

    async def chain(self, length: int | None = None) -> ChainEnd:
        """The number of records and the hash over all of them, or over the first `length`."""
        async with self._hold as annals:
            count, frames = annals.standing.count, annals.walk()
            if length is None or length >= count:
                return ChainEnd(count, annals.standing.chain.hex())
        chain = GENESIS
        for number, item in enumerate(frames):
            if number == length:
                break
            if isinstance(item, UnreadableTail):
                raise await _find_damage(self._hold, self.campaign)
            chain = item.frame.chain
        return ChainEnd(length, chain.hex())


async def _find_damage(hold: LockedCampaignLog, campaign: str) -> ChronicleError:
    """The error that explains why a record could not be read."""
    async with hold as annals:
        if annals.damage is None:
            annals.rebuild()
    if annals.damage is not None:
        return damaged_log_error(campaign, annals.damage)
    return DamagedError(f"the chronicle of {campaign!r} changed while it was read")


class FolderBook(FolderReader):
    """The records of one campaign."""

    def __init__(
        self, disk: Disk, layout: FolderLayout, hold: LockedCampaignLog, projector: PageProjector
    ) -> None:
        super().__init__(disk, layout, hold, projector)
        self.written = hold.written
        """The size of the log, whichever process wrote it: a `chronicle.store.SharedLog`."""

        self._closed = False

    @property
    def pages(self) -> CampaignPages | None:
        """The book itself: the pages are in its folder."""
        return self

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Make an input durable; a repeated operation id returns the first input."""
        async with self._hold as annals:
            annals.refuse()
            known = find_trail(annals, accepted.operation_id)
            if known.accepted is None and known.commit is None:
                head = find_head(annals, self.campaign, accepted.branch)
                accepted = place_input(accepted, head, lambda one: find_commit(annals, self.campaign, one))
                annals.append([accepted], _WRITE_ACCEPTED, _SYNC_ACCEPTED)
                note_last(self._disk, self._layout.folder)
            kept, standing = known.accepted or accepted, annals.standing
            return Acceptance(
                kept,
                known.commit,
                len(known.attempts),
                standing.branches.get(kept.branch, ""),
                standing.sequence,
                standing.spent,
                self._read_slots().get(kept.branch, OpenTurnSlot()).turn,
            )

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch, in one step, only if the branch still points at the expected
        commit.
        """
        async with self._hold as annals:
            annals.refuse()
            known = find_committed(annals, commit.operation_id)
            if known is not None:
                return known
            expect_head(annals, self.campaign, commit.branch, expected_head(commit))
            commit = commit.with_sequence(annals.standing.next_sequence)
            # The commit comes first: a crash between the two must not leave an uncommitted input marked as
            # committed.
            annals.append([commit, attempt], _WRITE, _SYNC, _MOVE_HEAD)
            note_last(self._disk, self._layout.folder)
            return commit

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no branch."""
        async with self._hold as annals:
            annals.refuse()
            if not has_record(annals, record):
                annals.append([record], _WRITE_ASIDE)

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Point a branch or mark at a commit; a branch only if it still points at `expected`."""
        async with self._hold as annals:
            annals.refuse()
            find_commit(annals, self.campaign, pointing.commit)
            if pointing.kind is PointerKind.BRANCH:
                head = annals.standing.branches.get(pointing.name)
                if head != expected:
                    raise HeadMovedError(head or "")
            annals.append([pointing])
            note_last(self._disk, self._layout.folder)

    async def find_lost(self) -> tuple[str, ...]:
        """Report records that are missing, one sentence per source that knows of them; empty if none are."""
        # Ask git first: a record written meanwhile must not look lost. And do not hold the lock while git
        # runs.
        in_git = list_git_ends(self._layout)
        async with self._hold as annals:
            return report_lost(self._disk, self._layout, annals, in_git)

    async def read_through(self, bytes_max: int) -> None:
        """Read the whole log once, unless it is longer than this, to detect damage in it."""
        async with self._hold as annals:
            if annals.standing.end <= bytes_max:
                annals.check()

    async def project(self, projection: PageProjection) -> None:
        """Write the pages; a failure never affects a turn."""
        if not self._closed:
            # Read this first: looking up the branch would also see later writes of other processes.
            stamp = _stamp(self._hold)
            strand = await _find_strand(self._hold, self.campaign, projection.commit, self._projector)
            await self._projector.project(projection, strand, stamp, self._unrecorded)

    async def close(self) -> None:
        """Close the book; acknowledged writes are safe even without this."""
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(ChronicleError):
                # If this fails, the index is behind, and the next opening reads more of the log.
                async with self._hold as annals:
                    annals.tidy()
            await self._projector.finish(_stamp(self._hold))
        finally:
            self._hold.close()


async def _find_strand(
    hold: LockedCampaignLog, campaign: str, commit: str, projector: PageProjector
) -> ProjectionPosition:
    """Where a commit is, relative to the one whose pages are in the folder; empty if unknown."""
    shown = projector.find_shown()
    with suppress(ChronicleError):
        async with hold as annals:
            version = find_commit(annals, campaign, commit).version
            if not shown:
                return ProjectionPosition(version)
            parting = find_parting(annals, campaign, commit, shown)
        return ProjectionPosition(version, shown, None if parting.id == shown else parting.version)
    return ProjectionPosition()


def _stamp(hold: LockedCampaignLog) -> LogEndStamp:
    annals = hold.annals
    standing = annals.standing
    return LogEndStamp(standing.end, standing.chain, standing.at, annals.damage is not None, standing.count)
