"""Writing to a campaign in PostgreSQL: each write is one statement.

A write is computed from the rows as they were last read, and the database accepts it only if nothing was
written since. It is never half done, and cancelling the caller does not stop it.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field, replace
from typing import Any

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.record_fold import expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import Acceptance, HeadMovedError, OperationTrail, StoreAwayError
from talewright.common.frozen_values import frozen
from talewright.crashpoints import around
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import (
    BranchRow,
    CampaignRow,
    RecordRow,
    find_closed,
    is_tried,
    make_record,
    read_campaign,
    read_joined_branch,
    read_moment,
    read_record,
    read_records,
)
from talewright.stores.postgres.connection_retry import LostWriteError, Row
from talewright.stores.postgres.postgres_open_turns import PostgresOpenTurns
from talewright.stores.postgres.postgres_reader import (
    PostgresReader,
    make_trail,
    unknown_branch,
    unknown_commit,
)
from talewright.stores.postgres.scoped_access import CampaignAccess, StorageRoom

RACES_MAX = 100
"""How often a write is repeated because others wrote first; each time, at least one of them succeeded."""

_WRITE_ACCEPTED, _WRITE, _WRITE_ASIDE = around("write accepted"), around("write"), around("write aside")
"""The crash points around each write."""


@frozen
class Standing:
    """The status of a campaign when it was last read or written, as far as it is known."""

    campaign: CampaignRow
    branches: Mapping[str, BranchRow] = field(default_factory=dict)
    fresh: bool = False
    """Whether it was just read, so that a refusal may rely on it; only then is the rest known."""

    trail: OperationTrail = field(default_factory=OperationTrail)
    """The history of the requested operation."""

    found: Record | None = None
    """The requested record."""

    open_turn: OpenTurn | None = None


@frozen
class PlannedWrite:
    """One statement that appends records, if the campaign's status is still the known one."""

    statement: str
    records: tuple[Record, ...]
    values: Callable[[list[RecordRow]], tuple[Any, ...]]
    """What the statement needs in addition to the campaign's row."""

    branches: tuple[BranchRow, ...] = ()
    """The branches after it, as far as they change."""

    crash: AbstractContextManager[None] = field(default_factory=nullcontext)


class PostgresWriter:
    """Writes the records of one campaign."""

    def __init__(
        self,
        access: CampaignAccess,
        reader: PostgresReader,
        open_turns: PostgresOpenTurns,
        campaign: CampaignRow,
        branch: BranchRow | None,
        room: StorageRoom,
    ) -> None:
        self._access = access
        self._room = room
        self._reader = reader
        self._open_turns = open_turns
        self._standing = Standing(campaign, {} if branch is None else {branch.name: branch})
        self._writing = asyncio.Lock()

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Make an input durable; a repeated operation id returns the first input."""
        return await self._access.database.run_to_end(self._accept(accepted))

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch in one statement, if the branch points at the expected commit."""
        return await self._access.database.run_to_end(self._commit(commit, attempt))

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no branch."""
        await self._access.database.run_to_end(self._add(record))

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Point a branch or mark at a commit; a branch only if it still points at `expected`."""
        await self._access.database.run_to_end(self._point(pointing, expected))

    async def _accept(self, accepted: Accepted) -> Acceptance:
        async def read() -> Standing:
            return await self._read_standing(
                accepted.branch, accepted.operation_id, "commit", accepted.replaces
            )

        async with self._writing:
            standing = self._recall(accepted.branch)
            if standing is None or accepted.replaces or accepted.operation_id == self._reader.accepted:
                standing = await read()
            for _ in range(RACES_MAX):
                known = standing.trail
                if known.accepted is not None or known.commit is not None:
                    return await self._answer(standing, known.accepted or accepted)
                branch = standing.branches.get(accepted.branch)
                if not standing.fresh and (
                    branch is None or expected_head(accepted) not in ("", branch.head)
                ):
                    standing = await read()
                    continue
                if branch is None:
                    raise unknown_branch(accepted.branch)
                await self._room.check()
                placed = place_input(accepted, branch.head, _find_in(standing))
                row = await self._send(standing, _plan_accepted(placed, branch))
                if row is not None:
                    return self._make_acceptance(placed, row, branch.head)
                standing = await read()
            raise _too_busy()

    async def _commit(self, commit: Commit, attempt: Attempt) -> Commit:
        expected = expected_head(commit)
        async with self._writing:
            standing = self._recall(commit.branch)
            for _ in range(RACES_MAX):
                branch = None if standing is None else standing.branches.get(commit.branch)
                if standing is None or branch is None or branch.head != expected:
                    if standing is None or not standing.fresh:
                        standing = await self._read_standing(commit.branch, commit.operation_id)
                    if standing.trail.commit is not None:
                        return standing.trail.commit
                    branch = standing.branches.get(commit.branch)
                    if branch is None:
                        raise unknown_branch(commit.branch)
                    if branch.head != expected:
                        raise HeadMovedError(branch.head)
                if standing.trail.commit is not None:
                    return standing.trail.commit
                numbered = commit.with_sequence(standing.campaign.sequence + 1)
                plan = _plan_commit(numbered, attempt, standing.campaign.records, self._mark_branch)
                if await self._send(standing, plan) is not None:
                    return numbered
                standing = await self._read_standing(commit.branch, commit.operation_id)
            raise _too_busy()

    async def _add(self, record: Attempt | Aside) -> None:
        kind = "attempt" if isinstance(record, Attempt) else "aside"
        branch = record.branch if isinstance(record, Attempt) and is_tried(record) else ""

        async def read() -> Standing:
            return await self._read_standing(branch, "", kind, record.id)

        async with self._writing:
            standing = (self._recall(branch) if branch else self._standing) or await read()
            for _ in range(RACES_MAX):
                if standing.found is not None:
                    return
                known = standing.branches.get(branch)
                tried = None if known is None else replace(known, tried=standing.campaign.records)
                if await self._send(standing, _plan_add(record, tried, self._mark_branch)) is not None:
                    return
                standing = await read()
            raise _too_busy()

    async def _point(self, pointing: Pointing, expected: str | None) -> None:
        async with self._writing:
            standing = self._standing
            for _ in range(RACES_MAX):
                if standing.fresh:
                    if standing.found is None:
                        raise unknown_commit(pointing.commit)
                    branch = standing.branches.get(pointing.name)
                    head = None if branch is None else branch.head
                    if pointing.kind is PointerKind.BRANCH and head != expected:
                        raise HeadMovedError(head or "")
                target = BranchRow(pointing.name, pointing.commit)
                mark = target.mark(self._access.seal, pointing.kind)
                if await self._send(standing, _plan_point(pointing, target, mark, expected)) is not None:
                    return
                standing = await self._read_standing(pointing.name, "", "commit", pointing.commit)
            raise _too_busy()

    async def _send(self, standing: Standing, plan: PlannedWrite) -> Row | None:
        """Write records after the known ones; None if others have written in the meantime."""
        before = campaign = standing.campaign
        rows = []
        for record in plan.records:
            row = make_record(campaign, record, campaign.format.write(record), self._access.seal)
            rows.append(row)
            campaign = campaign.take(record, row.chain)
        moved = (before.records, len(rows), campaign.sequence, campaign.chain, campaign.newest)
        ends = (campaign.spent_text, campaign.mark(self._access.seal), read_moment(plan.records[-1].at))
        values = (self._access.key, self._access.owner, *moved, *ends, *plan.values(rows))
        try:
            with plan.crash:
                found = await self._access.database.write(plan.statement, *values)
        except LostWriteError:
            written = await self._access.fetch(statements.WRITTEN, rows[-1].number)
            if not written or written[0]["chain"] != rows[-1].chain:
                return None
            # It was written. The caller's next read finds the rest.
            self._standing = Standing(campaign)
            return {"attempts": 0, "revision": None, "turn": None}
        if not found[0]["moved"]:
            return None
        changed = {branch.name: branch for branch in plan.branches}
        self._standing = Standing(campaign, {**standing.branches, **changed})
        return found[0]

    def _recall(self, branch: str) -> Standing | None:
        """The known status of the campaign, if the branch is known; what relies on it may fail and read
        again.
        """
        if (
            self._reader.looked is not None
            and self._reader.looked[0].records > self._standing.campaign.records
        ):
            # Others have written since, as a read has shown.
            campaign, found = self._reader.looked
            self._standing = Standing(campaign, {found.name: found})
        return self._standing if branch in self._standing.branches else None

    async def _read_standing(self, branch: str, operation: str, kind: str = "", record: str = "") -> Standing:
        """Read the status of a campaign and a branch, the history of an operation, and one record."""
        row = await self._access.fetch_one(statements.STANDING, branch, operation, kind, record)
        self._access.refuse_ended(row)
        campaign = read_campaign(row, self._access.seal)
        joined = read_joined_branch(row, self._access.seal, self._access.name)
        found = None
        if row["found"] is not None:
            found = read_record(campaign, self._access.seal, row["found"], row["found_line"])
        trail = make_trail(
            operation, read_records(campaign, self._access.seal, row["trail"], row["trail_lines"])
        )
        self._standing = Standing(campaign, {} if joined is None else {joined.name: joined})
        return replace(
            self._standing,
            fresh=True,
            trail=trail,
            found=found,
            open_turn=self._open_turns.unseal(branch, row).turn,
        )

    async def _answer(self, standing: Standing, kept: Accepted) -> Acceptance:
        """The answer to an input whose operation is known."""
        if kept.branch not in standing.branches:
            standing = await self._read_standing(kept.branch, kept.operation_id)
        branch, campaign = standing.branches.get(kept.branch), standing.campaign
        return Acceptance(
            kept,
            standing.trail.commit,
            len(standing.trail.attempts),
            "" if branch is None else branch.head,
            campaign.sequence,
            campaign.spent,
            standing.open_turn,
        )

    def _make_acceptance(self, placed: Accepted, row: Row, head: str) -> Acceptance:
        campaign, turn = self._standing.campaign, self._open_turns.unseal(placed.branch, row).turn
        return Acceptance(placed, None, row["attempts"], head, campaign.sequence, campaign.spent, turn)

    def _mark_branch(self, branch: BranchRow) -> bytes:
        return branch.mark(self._access.seal)


def _plan_accepted(placed: Accepted, branch: BranchRow) -> PlannedWrite:
    return PlannedWrite(
        statements.ACCEPT,
        (placed,),
        lambda rows: (placed.branch, branch.head, *rows[0].columns),
        crash=_WRITE_ACCEPTED,
    )


def _plan_commit(
    commit: Commit, attempt: Attempt, number: int, mark: Callable[[BranchRow], bytes]
) -> PlannedWrite:
    tried = number + 1 if is_tried(attempt) and attempt.branch == commit.branch else None
    branch = BranchRow(commit.branch, commit.id, tried)
    closed = find_closed((commit, attempt))
    head = (expected_head(commit), commit.id, branch.tried, mark(branch), closed)
    return PlannedWrite(
        statements.COMMIT,
        (commit, attempt),
        lambda rows: (*head, *rows[0].columns, *rows[1].columns),
        (branch,),
        _WRITE,
    )


def _plan_add(
    record: Attempt | Aside, tried: BranchRow | None, mark: Callable[[BranchRow], bytes]
) -> PlannedWrite:
    branch = (None, None, None) if tried is None else (tried.name, tried.tried, mark(tried))
    return PlannedWrite(
        statements.ADD,
        (record,),
        lambda rows: (*branch, find_closed((record,)), *rows[0].columns),
        () if tried is None else (tried,),
        _WRITE_ASIDE if isinstance(record, Aside) else nullcontext(),
    )


def _plan_point(pointing: Pointing, target: BranchRow, mark: bytes, expected: str | None) -> PlannedWrite:
    is_branch = pointing.kind is PointerKind.BRANCH
    return PlannedWrite(
        statements.POINT_BRANCH if is_branch else statements.POINT_MARK,
        (pointing,),
        lambda rows: (target.name, target.head, mark, is_branch, expected, *rows[0].columns),
        (target,) if is_branch else (),
    )


def _find_in(standing: Standing) -> Callable[[str], Commit]:
    def find(commit: str) -> Commit:
        assert isinstance(standing.found, Commit), "an input replaces the head, which was read with it"
        return standing.found

    return find


def _too_busy() -> StoreAwayError:
    return StoreAwayError(
        "too many others are writing to this campaign", "Try again in a moment; nothing was written."
    )
