"""Reading a campaign in PostgreSQL: a record in one statement, however long the campaign is, or all of them.

Data that was altered behind our back is never returned: every row is unsealed or checked against its mark.
"""

from collections.abc import AsyncIterator, Mapping
from itertools import pairwise

from talewright.chronicle.chained_lines import GENESIS, ChainEnd, bind
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.record_fold import RecordFold
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
    read_line,
    read_record,
    read_records,
)
from talewright.stores.postgres.scoped_access import CampaignAccess, unknown_campaign

LINES_PAGE = 200
"""How many records are read at once."""

NAMES_ALL = 2**31 - 1


class PostgresReader:
    """The records of one campaign, by their names."""

    def __init__(self, access: CampaignAccess, campaign: CampaignRow, *, even_removed: bool = False) -> None:
        self._access = access
        self._even_removed = even_removed
        self._opened = campaign
        """Its status when it was opened; its format, which is needed to read a record, never changes."""

        self.looked: tuple[CampaignRow, BranchRow] | None = None
        """The status of the campaign and a branch at the last read."""

        self.accepted = ""
        """The operation that was last found to be accepted."""

    async def look(self, branch: str = "") -> CampaignStatus:
        """The current status of a branch."""
        row = await self._access.fetch_one(statements.LOOK, branch, WAITING_MAX)
        if row["removed"] is not None and not self._even_removed:
            # Its name may belong to another campaign by now.
            raise unknown_campaign(self._access.name)
        campaign = read_campaign(row, self._access.seal)
        found = read_joined_branch(row, self._access.seal, self._access.name)
        if found is None:
            raise unknown_branch(branch)
        self.looked = (campaign, found)
        waiting = read_records(campaign, self._access.seal, row["waiting"][::-1], row["waiting_lines"][::-1])
        tried: Record | None = None
        if found.tried is not None:
            if row["tried_line"] is None:
                raise damaged(self._access.name, f"record {found.tried} is missing")
            tried = read_record(campaign, self._access.seal, found.tried, row["tried_line"])
        return CampaignStatus(
            found.name,
            found.head,
            campaign.sequence,
            tuple(one for one in waiting if isinstance(one, Accepted)),
            tried if isinstance(tried, Attempt) else None,
            campaign.spent,
            campaign_id=str(campaign.id),
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
        rows = await self._access.fetch(statements.BACK, commit, max(count, 1))
        campaign = self._opened
        line = [
            one
            for one in (read_record(campaign, self._access.seal, row["number"], row["line"]) for row in rows)
            if isinstance(one, Commit)
        ]
        if not line or line[0].id != commit:
            if rows:
                raise damaged(self._access.name, f"the row of the commit {commit!r} was changed")
            raise unknown_commit(commit)
        for one, before in pairwise(line):
            if one.parent != before.id:
                raise damaged(self._access.name, f"the row of the commit {before.id!r} was changed")
        if len(line) < count and line[-1].parent:
            raise damaged(self._access.name, f"the commit {line[-1].parent!r} is missing")
        return tuple(line[: max(count, 0)])

    async def find(self, operation_id: str) -> OperationTrail:
        """The history of an operation."""
        rows = await self._access.fetch(statements.FIND, operation_id)
        campaign = self._opened
        found = [read_record(campaign, self._access.seal, row["number"], row["line"]) for row in rows]
        trail = make_trail(operation_id, found)
        self.accepted = "" if trail.accepted is None else operation_id
        return trail

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        rows = await self._access.fetch(statements.ASIDES, list(commits))
        campaign = self._opened
        found = [read_record(campaign, self._access.seal, row["number"], row["line"]) for row in rows]
        return tuple(one for one in found if isinstance(one, Aside) and one.commit in commits)

    async def _read_names(self, kind: PointerKind, after: str, limit: int) -> Mapping[str, str]:
        statement = statements.BRANCHES if kind is PointerKind.BRANCH else statements.MARKS
        rows = await self._access.fetch(statement, after, limit)
        found = [read_branch(row, self._access.seal, self._access.name, kind) for row in rows]
        return {one.name: one.head for one in found}


class RecordWalk:
    """All records of one campaign, in order, page by page, with the chain checked.

    Reading all of them also checks every row that is derived from them.
    """

    def __init__(self, access: CampaignAccess) -> None:
        self._access = access

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """The records after a commit, in order, up to those that existed when the reading started."""
        row = await self._access.fetch_one(statements.BEGIN_OF, after)
        campaign = read_campaign(row, self._access.seal)
        begin, chain = 0, GENESIS
        if after >= 0:
            begin = campaign.records if row["number"] is None else row["number"] + 1
            chain = row["before"] or GENESIS
        end = campaign.records if limit is None else min(campaign.records, begin + max(limit, 0))
        fold = RecordFold[int]()
        committed: set[str] = set()
        async for number, line, reached in self._walk(campaign, begin, end, chain):
            chain = reached
            record = self._decode(campaign, number, line)
            if after < 0:
                fold.take(record, number, committed.__contains__)
                if isinstance(record, Commit):
                    committed.add(record.operation_id)
            yield record
        if end == campaign.records and begin < end and chain != campaign.chain:
            raise damaged(self._access.name, "its chain does not end where its row says")
        if after < 0 and end == campaign.records:
            await self._check_fold(campaign, fold)

    async def lines(self) -> AsyncIterator[bytes]:
        """The bytes of all records, unchanged: a `chronicle.store.RecordLines`."""
        campaign = read_campaign(await self._access.fetch_one(statements.BEGIN_OF, -1), self._access.seal)
        async for _, line, _ in self._walk(campaign, 0, campaign.records, GENESIS):
            yield line

    async def chain(self, length: int | None = None) -> ChainEnd:
        """The number of records, and the hash over all of them or the first ones."""
        row = await self._access.fetch_one(statements.CHAIN, -1 if length is None else length - 1)
        campaign = read_campaign(row, self._access.seal)
        if length is None or length >= campaign.records:
            return campaign.end
        if length <= 0:
            return ChainEnd(0, GENESIS.hex())
        if row["chain_at"] is None:
            raise damaged(self._access.name, f"record {length - 1} is missing")
        return ChainEnd(length, row["chain_at"].hex())

    async def _walk(
        self, campaign: CampaignRow, begin: int, end: int, chain: bytes
    ) -> AsyncIterator[tuple[int, bytes, bytes]]:
        """The number, the bytes and the chain of each record, checked; page by page."""
        number = begin
        while number < end:
            rows = await self._access.fetch(statements.LINES, number, min(end, number + LINES_PAGE))
            for row in rows:
                if row["number"] != number:
                    break
                line = read_line(campaign, self._access.seal, number, row["line"])
                chain = bind(chain, line)
                if chain != row["chain"]:
                    raise damaged(self._access.name, f"the chain breaks at record {number}")
                yield number, line, chain
                number += 1
            if number < min(end, (rows[-1]["number"] + 1) if rows else end):
                raise damaged(self._access.name, f"record {number} is missing")

    def _decode(self, campaign: CampaignRow, number: int, line: bytes) -> Record:
        try:
            return campaign.format.read(line)
        except RecordCodecError as error:
            raise damaged(self._access.name, f"record {number}: {error}") from None

    async def _check_fold(self, campaign: CampaignRow, fold: "RecordFold[int]") -> None:
        """Compare the rows with what follows from all records, unless they have changed in the meantime."""
        branches = await self._access.fetch(statements.BRANCHES, "", NAMES_ALL)
        marks = await self._access.fetch(statements.MARKS, "", NAMES_ALL)
        waiting = await self._access.fetch(statements.WAITING)
        now = read_campaign(await self._access.fetch_one(statements.BEGIN_OF, -1), self._access.seal)
        if now != campaign:
            return
        read = (fold.sequence, fold.newest_branch, fold.spent)
        if read != (campaign.sequence, campaign.newest, campaign.spent):
            raise damaged(self._access.name, "its row does not follow from its records")
        for kind, rows, expected in (
            (PointerKind.BRANCH, branches, fold.branches),
            (PointerKind.MARK, marks, fold.marks),
        ):
            found = [read_branch(row, self._access.seal, self._access.name, kind) for row in rows]
            if {one.name: one.head for one in found} != expected:
                raise damaged(self._access.name, f"a {kind.value} does not follow from its records")
            if kind is PointerKind.BRANCH and any(one.tried != fold.tries.get(one.name) for one in found):
                raise damaged(
                    self._access.name, "the newest attempt of a branch does not follow from its records"
                )
        if {row["operation"]: (row["branch"], row["number"]) for row in waiting} != fold.waiting:
            raise damaged(self._access.name, "the waiting inputs do not follow from its records")


def unknown_branch(branch: str) -> UnknownCommitError:
    """The error for a branch that does not exist."""
    return UnknownCommitError(
        f"there is no branch {branch!r} in this campaign", "The campaign's tree lists the branches."
    )


def unknown_commit(commit: str) -> UnknownCommitError:
    """The error for a commit that does not exist."""
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
