"""Campaign traces: what a host stores of campaigns besides their records, and how all of it is deleted.

That is workflows with their steps, wishes, crashes and spending in the first database, and events in Redis.
"""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from redis.asyncio import Redis

from talewright.common.frozen_values import frozen
from talewright.hosting.hosting_tables import TurnWish
from talewright.hosting.news.redis_stream_reader import name_newest, name_stream
from talewright.hosting.turn_jobs import BASE_LENGTH, name_place

if TYPE_CHECKING:
    from talewright.hosting.turn_queue import TurnQueue

STOP_SECONDS_MAX = 15.0
"""How long a worker may take to stop a turn whose campaign is deleted."""

LOOK_SECONDS = 0.2

_TABLES = ("workflow_status", "workflow_input", "workflow_output", "operation_outputs")
_HAS_TABLES = "select to_regclass('dbos.workflow_status') is not null"
_MINE = """starts_with({0}, $1) and ($2::text[] is null or split_part({0}, '/', 3) = any ($2)
  or split_part({0}, '/', 3) = 'after' and split_part({0}, '/', 4) = any ($3))"""
"""Turns are named after the commit that they continue, and background work after the one that it follows."""

_WORKFLOWS = " union ".join(
    f"select workflow_uuid from dbos.{table} where {_MINE.format('workflow_uuid')}" for table in _TABLES
)
_RUNNING = f"""
select workflow_uuid from dbos.workflow_status where status = 'PENDING' and {_MINE.format("workflow_uuid")}
"""
_WISH = "insert into hosting.wishes (workflow, wish) select unnest($1::text[]), $2 on conflict do nothing"
_FORGET_SPENDING = """
delete from hosting.campaign_spending where owner = $1 and ($2::text is null or campaign = $2)
"""
_FORGET_CAMPAIGN = """
update hosting.reservations set campaign = null where owner = $1 and ($2::text is null or campaign = $2)
"""
"""The owner still pays for a request that runs."""

_HAS_HOSTING = "select to_regclass($1) is not null"


@frozen
class TraceScope:
    """Whose traces are meant."""

    owner: str
    campaign: str | None = None
    """None for all campaigns of the owner."""

    commits: tuple[str, ...] | None = None
    """The commits of the campaign, if the owner has another one of the same name; otherwise None."""

    def __post_init__(self) -> None:
        if not self.owner or self.campaign == "":
            raise ValueError("the traces of nobody, or of a campaign without a name")

    @property
    def values(self) -> tuple[object, ...]:
        """For the statements: how workflows begin, and the commits in them."""
        place = self.owner if self.campaign is None else name_place(self.owner, self.campaign)
        start = f"{place}/"
        if self.commits is None:
            return start, None, None
        return start, [one[:BASE_LENGTH] for one in self.commits], list(self.commits)


class CampaignTraces:
    """Finds and deletes them."""

    def __init__(self, connection: Any, queue: "TurnQueue") -> None:
        self._connection = connection
        """To the first database."""

        self._queue = queue

    async def list_workflows(self, scope: TraceScope) -> list[str]:
        """The workflows of a scope that have left anything in DBOS's tables."""
        if not await self._connection.fetchval(_HAS_TABLES):
            return []
        return [row["workflow_uuid"] for row in await self._connection.fetch(_WORKFLOWS, *scope.values)]

    async def stop(self, scope: TraceScope, seconds: float = STOP_SECONDS_MAX) -> int:
        """Stop the running turns of a scope; returns how many still run after a while."""
        if not await self._connection.fetchval(_HAS_TABLES):
            return 0
        until = monotonic() + seconds
        while running := await self._connection.fetch(_RUNNING, *scope.values):
            if monotonic() >= until:
                break
            names = [row["workflow_uuid"] for row in running]
            if await self._connection.fetchval(_HAS_HOSTING, "hosting.wishes"):
                await self._connection.execute(_WISH, names, TurnWish.CANCEL.value)
            await asyncio.sleep(LOOK_SECONDS)
        return len(running)

    async def delete(self, scope: TraceScope) -> int:
        """Delete all traces in the database; returns how many workflows there were."""
        workflows = await self.list_workflows(scope)
        if workflows:
            await self._queue.remove(workflows)
        for table in ("wishes", "crashes"):
            if await self._connection.fetchval(_HAS_HOSTING, f"hosting.{table}"):
                await self._connection.execute(
                    f"delete from hosting.{table} where {_MINE.format('workflow')}", *scope.values
                )
        if scope.commits is None and await self._connection.fetchval(_HAS_HOSTING, "hosting.reservations"):
            for statement in (_FORGET_SPENDING, _FORGET_CAMPAIGN):
                await self._connection.execute(statement, scope.owner, scope.campaign)
        return len(workflows)


async def delete_streams(redis: Redis, owner: str, campaigns: Sequence[str]) -> None:
    """Delete the events of campaigns."""
    for place in {name_place(owner, campaign) for campaign in campaigns}:
        await redis.delete(name_stream(place), name_newest(place))
