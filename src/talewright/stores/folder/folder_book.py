"""The folder's Book: the records of one open campaign in a folder, written and looked up.

Whatever is acknowledged is on the disk. No part of a write gives way to another task, so that a cancelled
caller leaves nothing half done.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from dataclasses import replace

from talewright.chronicle.pages_port import PageProjection
from talewright.chronicle.record_fold import expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import (
    Acceptance,
    CampaignStatus,
    ChronicleError,
    DamagedError,
    HeadMovedError,
    OperationTrail,
    UnknownCommitError,
)
from talewright.crashpoints import around
from talewright.stores.folder.blobs import FolderBlobs
from talewright.stores.folder.disk import Disk, FolderLayout
from talewright.stores.folder.log.campaign_log import CampaignLog, LockedCampaignLog, damaged_log_error
from talewright.stores.folder.log.log_fold import IndexedKind, asides_key, commit_key, operation_key
from talewright.stores.folder.pages.page_and_git_update import LogEndStamp, PageProjector
from talewright.stores.folder.pages.page_writer import ProjectionPosition

_COMMIT = frozenset({IndexedKind.COMMIT})


def find_trail(annals: CampaignLog, operation_id: str) -> OperationTrail:
    """What became of an operation."""
    records = [record for _, record in annals.fetch(operation_key(operation_id))]
    return OperationTrail(
        accepted=next((record for record in records if isinstance(record, Accepted)), None),
        commit=next((record for record in records if isinstance(record, Commit)), None),
        attempts=tuple(record for record in records if isinstance(record, Attempt)),
    )


def find_committed(annals: CampaignLog, operation_id: str) -> Commit | None:
    """The commit of an operation."""
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
    """A commit and those before it, newest first."""
    following = find_commit(annals, campaign, commit)
    line: list[Commit] = []
    while len(line) < count:
        line.append(following)
        if not following.parent:
            break
        following = find_commit(annals, campaign, following.parent)
    return tuple(line[: max(0, count)])


def find_parting(annals: CampaignLog, campaign: str, commit: str, other: str) -> Commit:
    """The newest commit that is on the lines of both."""
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
    """Refuse where a branch does not point at a commit."""
    head = find_head(annals, campaign, branch)
    if head != commit:
        raise HeadMovedError(head)


def _unknown(annals: CampaignLog, campaign: str, what: str, things: str) -> ChronicleError:
    """What is not there: because it never was, or because it stands behind damage."""
    if annals.damage is not None:
        return damaged_log_error(campaign, annals.damage)
    return UnknownCommitError(what, f"Look at the tree of the campaign for the {things} there are.")


_WRITE_ACCEPTED, _SYNC_ACCEPTED = around("write accepted"), around("sync accepted")
_WRITE, _SYNC, _MOVE_HEAD = around("write"), around("sync"), around("move head")
_WRITE_ASIDE = around("write aside")
"""The crash points of each write, which hold nothing but their names."""

_TRIES = frozenset({b"attempt", b"aside"})
"""The kinds of records that cost something and move no head."""


class FolderBook(FolderBlobs):
    """The records of one campaign."""

    def __init__(
        self, disk: Disk, layout: FolderLayout, hold: LockedCampaignLog, projector: PageProjector
    ) -> None:
        super().__init__(disk, layout, projector)
        self._hold = hold
        self.written = hold.written
        """How much is written, by whomever: a `chronicle.store.SharedLog`."""

        self._closed = False

    @property
    def notices(self) -> tuple[str, ...]:
        """What was noticed since it was opened, newest last; no turn was harmed by it."""
        return tuple(notice.text for notice in self._projector.notices)

    async def look(self) -> CampaignStatus:
        """How it stands now, writes of other processes included."""
        async with self._hold as annals:
            outlook = annals.look()
        noticed = tuple(self._projector.notices)
        return replace(outlook, notices=noticed) if noticed else outlook

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Make an input durable; the first one of its operation id is given back and kept."""
        async with self._hold as annals:
            annals.refuse()
            known = find_trail(annals, accepted.operation_id)
            if known.accepted is None and known.commit is None:
                head = find_head(annals, self.campaign, accepted.branch)
                accepted = place_input(accepted, head, lambda one: find_commit(annals, self.campaign, one))
                annals.append([accepted], _WRITE_ACCEPTED, _SYNC_ACCEPTED)
            kept, standing = known.accepted or accepted, annals.standing
            return Acceptance(
                kept,
                known.commit,
                len(known.attempts),
                standing.branches.get(kept.branch, ""),
                standing.sequence,
                standing.spent,
            )

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch, in one step, only if the branch still points where it must."""
        async with self._hold as annals:
            annals.refuse()
            known = find_committed(annals, commit.operation_id)
            if known is not None:
                return known
            expect_head(annals, self.campaign, commit.branch, expected_head(commit))
            commit = number_commit(commit, annals.standing.next_sequence)
            # The commit comes first: an end between the two leaves no input called committed that is not.
            annals.append([commit, attempt], _WRITE, _SYNC, _MOVE_HEAD)
            return commit

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no head."""
        async with self._hold as annals:
            annals.append([record], _WRITE_ASIDE)

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Let a branch or mark point at a commit; a branch only if it still points at `expected`."""
        async with self._hold as annals:
            annals.refuse()
            find_commit(annals, self.campaign, pointing.commit)
            if pointing.kind is PointerKind.BRANCH:
                head = annals.standing.branches.get(pointing.name)
                if head != expected:
                    raise HeadMovedError(head or "")
            annals.append([pointing])

    async def read(self, commit: str) -> Commit:
        """A commit by its id."""
        async with self._hold as annals:
            return find_commit(annals, self.campaign, commit)

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first, at most `count`."""
        async with self._hold as annals:
            return find_line(annals, self.campaign, commit, count)

    async def find(self, operation_id: str) -> OperationTrail:
        """What became of an operation."""
        async with self._hold as annals:
            return find_trail(annals, operation_id)

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        async with self._hold as annals:
            return find_asides(annals, commits)

    async def records(self) -> AsyncIterator[Record]:
        """Everything that was there when the reading began, in the order it was written."""
        async for record in _scan(self._hold, self.campaign):
            yield record

    async def tries(self) -> tuple[Attempt | Aside, ...]:
        """All attempts and asides, oldest first."""
        found = [record async for record in _scan(self._hold, self.campaign, _TRIES)]
        return tuple(record for record in found if isinstance(record, Attempt | Aside))

    async def project(self, projection: PageProjection) -> None:
        """Write what a person may read; it never fails a turn."""
        if not self._closed:
            # First, as it was when this was handed in: a look at the line sees what others wrote since.
            stamp = _stamp(self._hold)
            strand = await _find_strand(self._hold, self.campaign, projection.commit, self._projector)
            await self._projector.project(projection, strand, stamp, self._unrecorded)

    async def close(self) -> None:
        """Let go; whatever was acknowledged is safe before this as well."""
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(ChronicleError):
                # Where this fails the index is behind, and the log is read from further back next time.
                async with self._hold as annals:
                    annals.tidy()
            await self._projector.finish(_stamp(self._hold))
        finally:
            self._hold.close()


async def _scan(
    hold: LockedCampaignLog, campaign: str, kinds: Collection[bytes] = ()
) -> AsyncIterator[Record]:
    """Every record, or those of some kinds, as they were when the reading began."""
    async with hold as annals:
        scan = annals.scan(kinds)
    for record in scan:
        if record is None:
            async with hold as annals:
                annals.rebuild()
            if annals.damage is not None:
                raise damaged_log_error(campaign, annals.damage)
            raise DamagedError(f"the chronicle of {campaign!r} changed while it was read")
        yield record


async def _find_strand(
    hold: LockedCampaignLog, campaign: str, commit: str, projector: PageProjector
) -> ProjectionPosition:
    """Where a commit stands beside the one whose pages lie in the folder; bare where nobody knows."""
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
    return LogEndStamp(standing.end, standing.chain, standing.at, annals.damage is not None)


def number_commit(commit: Commit, sequence: int) -> Commit:
    """A commit with its counter. Field by field, as `replace` would take three times as long."""
    return Commit(
        commit.id,
        commit.parent,
        commit.branch,
        commit.version,
        commit.operation_id,
        commit.at,
        commit.game_digest,
        commit.state_digest,
        commit.body,
        sequence,
        commit.replaces,
    )
