"""Host workers: which workers of a host are running, with which engine, and how an operator retires one.

Workers notice by themselves that others died. An operator retires a worker that cannot be reached otherwise,
or an engine that turned out to be bad.
"""

import asyncpg

from talewright.common.frozen_values import frozen
from talewright.hosting.hosting_tables import HEARTBEATS, RETIRE, is_alive, read_heartbeat
from talewright.hosting.turn_jobs import BACKGROUND, TURNS

_HAS_WORKERS = "select to_regclass('hosting.executors') is not null"
_HAS_JOBS = "select to_regclass('dbos.workflow_status') is not null"
_JOBS = """
select executor_id, count(*) as jobs from dbos.workflow_status
where status = 'PENDING' and queue_name = any($1) group by executor_id
"""
_RETIRED = "select workflow from hosting.wishes where wish = $1"
_RETIRE = """
insert into hosting.wishes (workflow, wish) select unnest($1::text[]), $2 on conflict do nothing
"""
_FORGET = "delete from hosting.executors where executor = any($1)"


@frozen
class HostWorker:
    """One worker."""

    id: str
    engine: str
    """Its engine number."""

    seconds: float
    """How long ago its last heartbeat came."""

    is_alive: bool
    """Whether it may still be running."""

    is_retired: bool
    """Whether it was told to stop."""

    jobs: int
    """How many turns and background tasks it has taken and not ended."""


class HostWorkers:
    """Finds them in the tables of the host."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool

    async def list(self) -> tuple[HostWorker, ...]:
        """All workers that are running, or whose turns were not taken over yet, by their engines."""
        if not await self._pool.fetchval(_HAS_WORKERS):
            return ()
        has_jobs = await self._pool.fetchval(_HAS_JOBS)
        rows = await self._pool.fetch(_JOBS, [TURNS, BACKGROUND]) if has_jobs else []
        jobs = {row["executor_id"]: row["jobs"] for row in rows}
        retired = {row["workflow"] for row in await self._pool.fetch(_RETIRED, RETIRE)}
        return tuple(
            HostWorker(
                one.executor,
                one.version,
                round(max(one.silent_seconds, 0.0), 1),
                is_alive(one),
                one.executor in retired,
                jobs.get(one.executor, 0),
            )
            for one in map(read_heartbeat, await self._pool.fetch(HEARTBEATS, True))
        )

    async def retire(self, which: str) -> tuple[HostWorker, ...]:
        """Retire a worker, or all workers of an engine; returns them.

        One that is running stops as after SIGTERM. One that is not is forgotten, and others take its turns.
        """
        found = tuple(one for one in await self.list() if which in (one.id, one.engine))
        if not found:
            return ()
        await self._pool.execute(_RETIRE, [one.id for one in found if one.is_alive], RETIRE)
        await self._pool.execute(_FORGET, [one.id for one in found if not one.is_alive])
        return found
