"""Reading a campaign in PostgreSQL: each call is one statement, however long the campaign is.

Data that was altered behind our back is never returned: every row is unsealed or checked against its mark.
"""

from collections.abc import Mapping
from itertools import pairwise

from talewright.chronicle.pages_port import CampaignPages
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, PointerKind, Record
from talewright.chronicle.store import (
    NAMES_PAGE_MAX,
    WAITING_MAX,
    CampaignStatus,
    OperationTrail,
    UnknownCommitError,
)
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import (
    BranchRow,
    CampaignRow,
    damaged,
    read_branch,
    read_campaign,
    read_joined_branch,
    read_record,
    read_records,
)
from talewright.stores.postgres.record_walk import RecordWalk


class PostgresReader(RecordWalk):
    """Read access to the records of one campaign."""

    _looked: tuple[CampaignRow, BranchRow] | None = None
    """The status of the campaign and a branch at the last read."""

    _accepted: str = ""
    """The operation that was last found to be accepted."""

    @property
    def pages(self) -> CampaignPages | None:
        """None: a database has no pages that people edit."""
        return None

    async def look(self, branch: str = "") -> CampaignStatus:
        """The current status of a branch."""
        row = await self._fetch_one(statements.LOOK, branch, WAITING_MAX)
        campaign = read_campaign(row, self._seal)
        found = read_joined_branch(row, self._seal, self._name)
        if found is None:
            raise self._unknown_branch(branch)
        self._looked = (campaign, found)
        waiting = read_records(campaign, self._seal, row["waiting"][::-1], row["waiting_lines"][::-1])
        tried: Record | None = None
        if found.tried is not None:
            if row["tried_line"] is None:
                raise damaged(self._name, f"record {found.tried} is missing")
            tried = read_record(campaign, self._seal, found.tried, row["tried_line"])
        return CampaignStatus(
            found.name,
            found.head,
            campaign.sequence,
            tuple(one for one in waiting if isinstance(one, Accepted)),
            tried if isinstance(tried, Attempt) else None,
            campaign.spent,
        )

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the branches."""
        return await self._read_names(PointerKind.BRANCH, after, limit)

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the marks."""
        return await self._read_names(PointerKind.MARK, after, limit)

    async def read(self, commit: str) -> Commit:
        """A commit by its id."""
        return (await self.back(commit, 1))[0]

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first."""
        rows = await self._fetch(statements.BACK, commit, max(count, 1))
        campaign = self._opened
        line = [
            one
            for one in (read_record(campaign, self._seal, row["number"], row["line"]) for row in rows)
            if isinstance(one, Commit)
        ]
        if not line or line[0].id != commit:
            if rows:
                raise damaged(self._name, f"the row of the commit {commit!r} was changed")
            raise self._unknown_commit(commit)
        for one, before in pairwise(line):
            if one.parent != before.id:
                raise damaged(self._name, f"the row of the commit {before.id!r} was changed")
        if len(line) < count and line[-1].parent:
            raise damaged(self._name, f"the commit {line[-1].parent!r} is missing")
        return tuple(line[: max(count, 0)])

    async def find(self, operation_id: str) -> OperationTrail:
        """The history of an operation."""
        rows = await self._fetch(statements.FIND, operation_id)
        campaign = self._opened
        found = [read_record(campaign, self._seal, row["number"], row["line"]) for row in rows]
        trail = make_trail(operation_id, found)
        self._accepted = "" if trail.accepted is None else operation_id
        return trail

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        rows = await self._fetch(statements.ASIDES, list(commits))
        campaign = self._opened
        found = [read_record(campaign, self._seal, row["number"], row["line"]) for row in rows]
        return tuple(one for one in found if isinstance(one, Aside) and one.commit in commits)

    async def closed_at(self) -> str | None:
        """When the campaign was closed on this host, after which nothing is written; None if it is open."""
        at: str | None = (await self._fetch_one(statements.CLOSED_AT))["closed"]
        return at

    async def close_campaign(self, at: str) -> None:
        """Close the campaign on this host for good: its secret may be revealed from now on."""
        await self._repeat(statements.CLOSE_CAMPAIGN, at)

    async def close(self) -> None:
        """Do nothing: connections belong to the store."""

    async def _read_names(self, kind: PointerKind, after: str, limit: int) -> Mapping[str, str]:
        statement = statements.BRANCHES if kind is PointerKind.BRANCH else statements.MARKS
        rows = await self._fetch(statement, after, limit)
        found = [read_branch(row, self._seal, self._name, kind) for row in rows]
        return {one.name: one.head for one in found}

    def _unknown_branch(self, branch: str) -> UnknownCommitError:
        return UnknownCommitError(
            f"there is no branch {branch!r} in this campaign", "The campaign's tree lists the branches."
        )

    def _unknown_commit(self, commit: str) -> UnknownCommitError:
        return UnknownCommitError(
            f"there is no commit {commit!r} in this campaign", "The campaign's tree lists the commits."
        )


def make_trail(operation_id: str, found: list[Record]) -> OperationTrail:
    """The history of an operation, from its records."""
    return OperationTrail(
        next((one for one in found if isinstance(one, Accepted)), None),
        next((one for one in found if isinstance(one, Commit)), None),
        tuple(one for one in found if isinstance(one, Attempt) and one.operation_id == operation_id),
    )
