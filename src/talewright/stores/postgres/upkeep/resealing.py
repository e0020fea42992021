"""Resealing: seals every value of a database again with the first key, so that the others can be retired.

Nodes and workers may run meanwhile: each campaign is locked for one small transaction at a time. The chain
covers plain bytes, so it stays the same. A value that cannot be opened is reported and left as it is.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from talewright.chronicle.records import PointerKind
from talewright.chronicle.store import DamagedError
from talewright.common.frozen_values import frozen
from talewright.stores.postgres.campaign_rows import place_of, read_branch, read_campaign
from talewright.stores.postgres.postgres_blobs import SECRET_PLACE
from talewright.stores.postgres.sealing import CampaignSeal, SealingKeys, UnsealError, read_key_id

BATCH_MAX = 100
"""Values in one transaction."""

CAMPAIGNS_MAX = 1_000
"""Campaigns that are looked up at once."""

_CAMPAIGNS = "select id from campaigns where id > $1 order by id limit $2"
_LOCKED = "select * from campaigns where id = $1 for update"
_RESEAL_ROW = "update campaigns set secret = $2, mark = $3 where id = $1"
_MORE_BYTES = "update campaigns set bytes = bytes + $2 where id = $1"
_POINTERS = {
    PointerKind.BRANCH: "select name, head, tried, mark from branches where campaign = $1",
    PointerKind.MARK: "select name, head, null::int as tried, mark from marks where campaign = $1",
}
_RESEAL_POINTER = {
    PointerKind.BRANCH: "update branches set mark = $3 where campaign = $1 and name = $2",
    PointerKind.MARK: "update marks set mark = $3 where campaign = $1 and name = $2",
}


@frozen
class SealedColumn:
    """A column with sealed values."""

    table: str
    key: str
    """The column that tells them apart within a campaign."""

    value: str
    place: Callable[[Any], str]
    """What a value is bound to, from its key."""

    key_type: str
    scope: str = "campaign = $1"
    counts: bool = False
    """Whether its bytes count for the owner of the campaign."""

    @property
    def select(self) -> str:
        """A batch of values that another key has sealed."""
        other = f"substr({self.value}, 3, get_byte({self.value}, 1)) <> $2"
        return (
            f"select {self.key} as key, {self.value} as value from {self.table} "
            f"where {self.scope} and {self.value} is not null and {other} "
            f"and ($3::{self.key_type} is null or {self.key} > $3) "
            f"order by {self.key} limit $4"
        )

    @property
    def update(self) -> str:
        """Replaces a value that has not changed since it was read."""
        return (
            f"update {self.table} set {self.value} = $3 "
            f"where {self.scope} and {self.key} = $2 and {self.value} = $4"
        )


COLUMNS = (
    SealedColumn("records", "number", "line", place_of, "int", counts=True),
    SealedColumn("snapshots", "commit", "value", lambda key: f"snapshot {key}", "text", counts=True),
    SealedColumn("open_turns", "branch", "turn", lambda key: f"open turn {key}", "text"),
)
GAMES = SealedColumn(
    "games", "hash", "value", lambda key: f"game {key.hex()}", "bytea", scope="$1::uuid is null"
)


@frozen
class ResealReport:
    """What was done."""

    values: int = 0
    """How many values another key had sealed."""

    unreadable: tuple[str, ...] = ()
    """Where values are that no key opens."""

    def __add__(self, other: "ResealReport") -> "ResealReport":
        return ResealReport(self.values + other.values, self.unreadable + other.unreadable)


async def reseal_database(connection: Any, keys: SealingKeys) -> ResealReport:
    """Seal everything in a database again that another key than the first has sealed."""
    report = await _reseal_column(connection, GAMES, None, keys)
    last = UUID(int=0)
    while rows := await connection.fetch(_CAMPAIGNS, last, CAMPAIGNS_MAX):
        for row in rows:
            report += await _reseal_campaign(connection, row["id"], keys)
        last = rows[-1]["id"]
    return report


async def _reseal_campaign(connection: Any, campaign: UUID, keys: SealingKeys) -> ResealReport:
    report = ResealReport()
    async with connection.transaction():
        rows = await connection.fetch(_LOCKED, campaign)
        if rows:
            report += await _reseal_rows(connection, rows[0], keys)
    for column in COLUMNS:
        report += await _reseal_column(connection, column, campaign, keys)
    return report


async def _reseal_rows(connection: Any, row: Any, keys: SealingKeys) -> ResealReport:
    """Seal the row of a campaign again, its branches and its marks."""
    campaign, seal, values = row["id"], keys.seal_for(row["id"].bytes), 0
    first = keys.first.encode()
    try:
        if read_key_id(row["secret"]) != keys.first or row["mark"].partition(b":")[0] != first:
            secret = seal.seal(seal.unseal(row["secret"], SECRET_PLACE), SECRET_PLACE)
            await connection.execute(_RESEAL_ROW, campaign, secret, read_campaign(row, seal).mark(seal))
            values += 1
        for kind, statement in _POINTERS.items():
            for one in await connection.fetch(statement, campaign):
                if one["mark"].partition(b":")[0] != first:
                    mark = read_branch(one, seal, row["name"], kind).mark(seal, kind)
                    await connection.execute(_RESEAL_POINTER[kind], campaign, one["name"], mark)
                    values += 1
    except (UnsealError, DamagedError):
        return ResealReport(values, (f"campaigns {campaign}",))
    return ResealReport(values)


async def _reseal_column(
    connection: Any, column: SealedColumn, campaign: UUID | None, keys: SealingKeys
) -> ResealReport:
    seal = keys.seal_for(b"" if campaign is None else campaign.bytes)
    report, last = ResealReport(), None
    while True:
        async with connection.transaction():
            if campaign is not None:
                await connection.fetch(_LOCKED, campaign)
            rows = await connection.fetch(column.select, campaign, keys.first.encode(), last, BATCH_MAX)
            if not rows:
                return report
            report += await _reseal_batch(connection, column, campaign, rows, seal)
        last = rows[-1]["key"]


async def _reseal_batch(
    connection: Any, column: SealedColumn, campaign: UUID | None, rows: list[Any], seal: CampaignSeal
) -> ResealReport:
    values, more, unreadable = 0, 0, []
    for row in rows:
        key, old = row["key"], row["value"]
        try:
            new = seal.seal(seal.unseal(old, column.place(key)), column.place(key))
        except UnsealError:
            unreadable.append(f"{column.table} {campaign or ''} {column.place(key)}")
            continue
        await connection.execute(column.update, campaign, key, new, old)
        values, more = values + 1, more + len(new) - len(old)
    if column.counts and more:
        await connection.execute(_MORE_BYTES, campaign, more)
    return ResealReport(values, tuple(unreadable))
