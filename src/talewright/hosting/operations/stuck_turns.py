"""Stuck turns: workflows that have not ended after a while, and how an operator resumes them.

Workers normally do this automatically. An operator needs it if no worker is running, or if one hangs but
still sends heartbeats. Turns that were given up because they crashed several workers are listed too, and
accepted inputs that are in no queue.
"""

from collections.abc import Sequence
from time import time
from typing import TYPE_CHECKING

import asyncpg

from talewright.common.frozen_values import frozen
from talewright.hosting.recovery.stray_inputs import find_strays
from talewright.hosting.turn_jobs import BACKGROUND, LIST_MAX, TURNS
from talewright.stores.postgres.postgres_store import WaitingInput

if TYPE_CHECKING:
    from talewright.hosting.turn_queue import TurnQueue, WorkflowState

STUCK_SECONDS = 60.0
"""Turns rarely take longer, and workers need half of this time to take over from a dead one."""

POOL_SIZE = 2

_GIVEN_UP = """
select workflow, count(*) as crashes, extract(epoch from now() - max(at)) as seconds
from hosting.crashes where queue = any($1) group by workflow having count(*) >= $2 order by max(at) limit $3
"""
_HAS_CRASHES = "select to_regclass('hosting.crashes') is not null"
_HAS_TABLES = "select to_regclass('dbos.workflow_status') is not null"


@frozen
class StuckTurn:
    """A turn, or the work after one, that has not ended."""

    workflow: str
    """Its id: owner, campaign, the commit it continues, operation and attempt."""

    queue: str
    executor: str
    """The worker that has taken it; empty if none has."""

    version: str
    """The engine number of that worker."""

    seconds: float
    """How long ago it was ordered."""

    @property
    def is_taken(self) -> bool:
        """Whether a worker has taken it; otherwise it waits in the queue."""
        return bool(self.executor)


@frozen
class PoisonTurn:
    """A turn that was given up because too many workers died running it."""

    workflow: str
    crashes: int
    seconds: float
    """How long ago the last of them died."""


class StuckTurns:
    """Finds them in DBOS's tables, and resumes them."""

    def __init__(self, url: str, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._url = url
        self._pool = pool

    async def list(self, age_seconds: float = STUCK_SECONDS, limit: int = LIST_MAX) -> tuple[StuckTurn, ...]:
        """Workflows ordered at least this long ago that have not ended, oldest first; none if no worker ever
        ran.
        """
        if not await self._pool.fetchval(_HAS_TABLES):
            return ()
        queue = self._open_queue()
        try:
            found = await queue.list_open(age_seconds=age_seconds, limit=limit)
        finally:
            await queue.close()
        return tuple(_read_stuck(one, time()) for one in found)

    async def find_strays(self, waiting: Sequence[WaitingInput]) -> Sequence[WaitingInput]:
        """Those of some waiting inputs whose turns are in no queue."""
        if not waiting or not await self._pool.fetchval(_HAS_TABLES):
            return waiting
        queue = self._open_queue()
        try:
            return await find_strays(queue, waiting)
        finally:
            await queue.close()

    async def list_given_up(self, limit: int = LIST_MAX) -> tuple[PoisonTurn, ...]:
        """The turns of the last days that were given up, oldest first."""
        if not await self._pool.fetchval(_HAS_CRASHES):
            return ()
        # Imported late: it loads DBOS.
        from talewright.hosting.recovery.poison_turns import CRASHES_MAX

        rows = await self._pool.fetch(_GIVEN_UP, [TURNS, BACKGROUND], CRASHES_MAX, limit)
        return tuple(
            PoisonTurn(row["workflow"], row["crashes"], round(float(row["seconds"]), 1)) for row in rows
        )

    async def resume(self, stuck: tuple[StuckTurn, ...]) -> int:
        """Let any worker take workflows that another one has taken; returns how many there were.

        If the other worker is still running, no harm is done: the head moves only once.
        """
        taken = [one for one in stuck if one.is_taken]
        queue = self._open_queue()
        try:
            await queue.resume(taken)
        finally:
            await queue.close()
        return len(taken)

    def _open_queue(self) -> "TurnQueue":
        # Imported late: most commands of an operator need no DBOS, which takes longer to load than they run.
        from talewright.hosting.turn_queue import TurnQueue

        return TurnQueue(self._url, POOL_SIZE, patient=False)


def _read_stuck(one: "WorkflowState", now: float) -> StuckTurn:
    executor = "" if one.is_waiting else (one.executor or "unknown")
    return StuckTurn(one.workflow, one.queue, executor, one.version, round(now - one.ordered_at, 1))
