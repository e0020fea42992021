"""The folder book: reads and writes the records of one open campaign in a folder.

Every acknowledged write is on the disk. A write never awaits midway, so a cancelled caller leaves nothing
half done.
"""

from contextlib import suppress

from talewright.chronicle.open_turns import OpenTurnSlot
from talewright.chronicle.pages_port import CampaignPages, PageProjection
from talewright.chronicle.record_fold import expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, PointerKind, Pointing
from talewright.chronicle.store import Acceptance, ChronicleError, HeadMovedError
from talewright.crashpoints import around
from talewright.stores.folder.book_reader import (
    FolderReader,
    expect_head,
    find_commit,
    find_committed,
    find_head,
    find_parting,
    find_trail,
    has_record,
)
from talewright.stores.folder.disk import Disk, FolderLayout, note_last
from talewright.stores.folder.log.campaign_log import LockedCampaignLog
from talewright.stores.folder.lost_records import list_git_ends, report_lost
from talewright.stores.folder.pages.page_projector import LogEndStamp, PageProjector
from talewright.stores.folder.pages.page_writer import ProjectionPosition

_WRITE_ACCEPTED, _SYNC_ACCEPTED = around("write accepted"), around("sync accepted")
_WRITE, _SYNC, _MOVE_HEAD = around("write"), around("sync"), around("move head")
_WRITE_ASIDE = around("write aside")
"""The crash points around each write; they hold only their names."""


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
