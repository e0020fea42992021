"""Walking through the records of one campaign in PostgreSQL, page by page, with the chain checked.

Reading all records also checks every row that is derived from them.
"""

from collections.abc import AsyncIterator

from talewright.chronicle.chained_lines import GENESIS, ChainEnd, bind
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Commit, PointerKind, Record
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import (
    CampaignRow,
    damaged,
    read_branch,
    read_campaign,
    read_line,
)
from talewright.stores.postgres.connections import Database, Row
from talewright.stores.postgres.postgres_open_turns import PostgresOpenTurns
from talewright.stores.postgres.sealing import SealingKeys

LINES_PAGE = 200
"""How many records are read at once."""

NAMES_ALL = 2**31 - 1


class RecordWalk(PostgresOpenTurns):
    """All records of one campaign, in order."""

    def __init__(self, database: Database, keys: SealingKeys, campaign: CampaignRow) -> None:
        super().__init__(database, keys, campaign.id, campaign.owner, campaign.name)
        self._opened = campaign
        """Its status when it was opened; its format, which is needed to read a record, never changes."""

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """The records after a commit, in order, up to those that existed when the reading started."""
        row = await self._fetch_one(statements.BEGIN_OF, after)
        campaign = read_campaign(row, self._seal)
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
            raise damaged(self._name, "its chain does not end where its row says")
        if after < 0 and end == campaign.records:
            await self._check_fold(campaign, fold)

    async def lines(self) -> AsyncIterator[bytes]:
        """The bytes of all records, unchanged: a `chronicle.store.RecordLines`."""
        campaign = read_campaign(await self._fetch_one(statements.BEGIN_OF, -1), self._seal)
        async for _, line, _ in self._walk(campaign, 0, campaign.records, GENESIS):
            yield line

    async def chain(self, length: int | None = None) -> ChainEnd:
        """The number of records, and the hash over all of them or the first ones."""
        row = await self._fetch_one(statements.CHAIN, -1 if length is None else length - 1)
        campaign = read_campaign(row, self._seal)
        if length is None or length >= campaign.records:
            return campaign.end
        if length <= 0:
            return ChainEnd(0, GENESIS.hex())
        if row["chain_at"] is None:
            raise damaged(self._name, f"record {length - 1} is missing")
        return ChainEnd(length, row["chain_at"].hex())

    async def _walk(
        self, campaign: CampaignRow, begin: int, end: int, chain: bytes
    ) -> AsyncIterator[tuple[int, bytes, bytes]]:
        """The number, the bytes and the chain of each record, checked; page by page."""
        number = begin
        while number < end:
            rows = await self._fetch(statements.LINES, number, min(end, number + LINES_PAGE))
            for row in rows:
                if row["number"] != number:
                    break
                line = read_line(campaign, self._seal, number, row["line"])
                chain = bind(chain, line)
                if chain != row["chain"]:
                    raise damaged(self._name, f"the chain breaks at record {number}")
                yield number, line, chain
                number += 1
            if number < min(end, (rows[-1]["number"] + 1) if rows else end):
                raise damaged(self._name, f"record {number} is missing")

    def _decode(self, campaign: CampaignRow, number: int, line: bytes) -> Record:
        try:
            return campaign.format.read(line)
        except RecordCodecError as error:
            raise damaged(self._name, f"record {number}: {error}") from None

    async def _check_fold(self, campaign: CampaignRow, fold: "RecordFold[int]") -> None:
        """Compare the rows with what follows from all records, unless they have changed in the meantime."""
        branches = await self._fetch(statements.BRANCHES, "", NAMES_ALL)
        marks = await self._fetch(statements.MARKS, "", NAMES_ALL)
        waiting = await self._fetch(statements.WAITING)
        now = read_campaign(await self._fetch_one(statements.BEGIN_OF, -1), self._seal)
        if now != campaign:
            return
        read = (fold.sequence, fold.newest_branch, fold.spent)
        if read != (campaign.sequence, campaign.newest, campaign.spent):
            raise damaged(self._name, "its row does not follow from its records")
        for kind, rows, expected in (
            (PointerKind.BRANCH, branches, fold.branches),
            (PointerKind.MARK, marks, fold.marks),
        ):
            found = [read_branch(row, self._seal, self._name, kind) for row in rows]
            if {one.name: one.head for one in found} != expected:
                raise damaged(self._name, f"a {kind.value} does not follow from its records")
            if kind is PointerKind.BRANCH and any(one.tried != fold.tries.get(one.name) for one in found):
                raise damaged(self._name, "the newest attempt of a branch does not follow from its records")
        if {row["operation"]: (row["branch"], row["number"]) for row in waiting} != fold.waiting:
            raise damaged(self._name, "the waiting inputs do not follow from its records")

    async def _fetch_one(self, statement: str, *values: object) -> Row:
        rows = await self._fetch(statement, *values)
        if not rows:
            raise self._unknown()
        return rows[0]
