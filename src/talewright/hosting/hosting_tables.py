"""Tables of the host: heartbeats of workers, and players' wishes about running turns.

No campaign depends on them; losing them loses no turn.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from typing import Any, cast

import asyncpg

from talewright.common.frozen_values import frozen
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection

RECOVERY_LOCK = 7_216_002
"""The advisory lock of the worker that recovers the turns of dead workers."""

BEAT = """
with clock as (
  update hosting.answered_time set at = clock_timestamp(),
    seconds = seconds + greatest(least(extract(epoch from clock_timestamp() - at), $3), 0)
  returning seconds)
insert into hosting.executors (executor, version, beats, answered, backend, backend_start)
select $1, $2, 1, seconds, pg_backend_pid(),
  (select backend_start from pg_stat_activity where pid = pg_backend_pid())
from clock
on conflict (executor) do update
set beats = executors.beats + 1, version = excluded.version, answered = excluded.answered,
  backend = excluded.backend, backend_start = excluded.backend_start
returning exists (select from hosting.wishes where workflow = $1 and wish = $4) as retired
"""
"""A heartbeat. The shared clock advances only while the database answers at least one worker: an outage makes
no worker look dead, and a newly started worker knows at once which ones are.
"""

HEARTBEATS = """
select e.executor, e.version,
  c.seconds - e.answered
    + case when $1 then extract(epoch from clock_timestamp() - c.at) else 0 end as silent,
  e.backend is null or exists (
    select from pg_stat_activity a where a.pid = e.backend and a.backend_start = e.backend_start) as connected
from hosting.executors e cross join (select * from hosting.answered_time limit 1) c
order by e.version, e.executor
"""
"""The shared clock stands still once all workers are gone; $1 adds the time since then.

It has one row. Without the limit, PostgreSQL expects thousands and compiles the query, which takes longer
than running it.

PostgreSQL notices at once when a killed process closes its connections. Behind a connection pooler it does
not; then only missing heartbeats show it.
"""

RETIRE = "retire"
"""The operator's wish about a worker: it stops as after SIGTERM."""

NOTE_CRASHES = """
with noted as (
  insert into hosting.crashes (workflow, executor, queue)
  select * from unnest($1::text[], $2::text[], $3::text[])
  on conflict do nothing returning workflow)
select workflow, count(*) as crashes from (
  select workflow from noted union all select workflow from hosting.crashes where workflow = any($1)) c
group by workflow
"""
"""Records which workers died running which workflows, each pair once; returns the number of crashes per
workflow.
"""

GAP_SECONDS_MAX = 2.0
"""How far that clock can advance between two heartbeats."""

POOL_SIZE_MAX = 4
COMMAND_SECONDS_MAX = 10.0


UNREACHABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""Errors that mean the database cannot be reached at the moment; the last one, that a connection broke."""


class TurnWish(StrEnum):
    """What a player wants done with a running turn."""

    CANCEL = "cancel"
    SKIP = "skip"
    """Continue without the model."""


@frozen
class Heartbeat:
    """The last heartbeat of a worker."""

    executor: str
    version: str
    """Its engine number."""

    silent_seconds: float
    """How long ago that was; outages of the database do not count."""

    is_connected: bool = True
    """Whether the connection it came on is still open, as far as PostgreSQL knows."""


DEAD_SECONDS = 8.0
"""How long the other workers wait for the next heartbeat of a worker."""

GONE_SECONDS = 3.0
"""How long they wait if its connection is gone too. By then, a worker that only lost its connection has a new
one.
"""


def is_alive(heartbeat: Heartbeat) -> bool:
    """Whether a worker may still be running."""
    return heartbeat.silent_seconds < (DEAD_SECONDS if heartbeat.is_connected else GONE_SECONDS)


def read_heartbeat(row: Mapping[str, Any]) -> Heartbeat:
    """A row of `HEARTBEATS`."""
    return Heartbeat(row["executor"], row["version"], row["silent"], row["connected"])


class HostingTables:
    """The tables in one database."""

    def __init__(self, url: str) -> None:
        self._url = make_asyncpg_url(url)
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._opening = asyncio.Lock()
        self._heart: Any = None
        """The connection for heartbeats; nothing else uses it."""

    async def _connect(self) -> "asyncpg.Pool[asyncpg.Record]":
        async with self._opening:
            if self._pool is None:
                pool = await asyncpg.create_pool(
                    self._url, min_size=0, max_size=POOL_SIZE_MAX, command_timeout=COMMAND_SECONDS_MAX
                )
                async with pool.acquire() as connection, connection.transaction():
                    await migrate_connection(connection, SchemaPart.WORKERS)
                self._pool = pool
        return self._pool

    async def fetch(self, statement: str, *arguments: Any) -> list[Mapping[str, Any]]:
        """Run a statement, and return its rows."""
        pool = await self._connect()
        return cast(list[Mapping[str, Any]], await pool.fetch(statement, *arguments))

    @asynccontextmanager
    async def hold_shared(self, lock: int) -> AsyncIterator[None]:
        """Hold an advisory lock that several processes can hold together."""
        async with (await self._connect()).acquire() as connection:
            await connection.execute("select pg_advisory_lock_shared($1)", lock)
            try:
                yield
            finally:
                await connection.execute("select pg_advisory_unlock_shared($1)", lock)

    async def beat(self, executor: str, version: str) -> bool:
        """Send a heartbeat, each time on the same connection; returns whether the worker has to stop."""
        if self._heart is None:
            self._heart = await (await self._connect()).acquire()
        try:
            return bool(await self._heart.fetchval(BEAT, executor, version, GAP_SECONDS_MAX, RETIRE))
        except UNREACHABLE:
            _abandon(self._heart)
            self._heart = None
            raise

    async def list_heartbeats(self, *, outside: bool = False) -> list[Heartbeat]:
        """The heartbeats of all workers; `outside` is for a process that sends none itself."""
        return [read_heartbeat(row) for row in await self.fetch(HEARTBEATS, outside)]

    async def forget(self, executors: Sequence[str]) -> None:
        """Delete the heartbeats of workers that are gone."""
        await self.fetch("delete from hosting.executors where executor = any($1)", list(executors))

    async def wish(self, workflow: str, wish: TurnWish) -> None:
        """Note a player's wish; the worker that runs the turn will find it."""
        await self.fetch(
            "insert into hosting.wishes (workflow, wish) values ($1, $2) on conflict do nothing",
            workflow,
            wish.value,
        )

    async def list_wishes(self, workflows: Sequence[str]) -> list[tuple[str, TurnWish]]:
        """The wishes about some turns."""
        rows = await self.fetch(
            "select workflow, wish from hosting.wishes where workflow = any($1)", list(workflows)
        )
        return [(row["workflow"], TurnWish(row["wish"])) for row in rows]

    async def drop_wishes(self, workflow: str) -> None:
        """Forget the wishes about a turn that has ended."""
        await self.fetch("delete from hosting.wishes where workflow = $1", workflow)

    async def drop_old_wishes(self, age_seconds: float) -> None:
        """Forget wishes that arrived too late for their turn."""
        await self.fetch(
            "delete from hosting.wishes where at < now() - make_interval(secs => $1)", age_seconds
        )

    async def note_crashes(self, lost: Sequence[tuple[str, str, str]]) -> dict[str, int]:
        """Note workflows, their queues and the workers that died running them; returns the number of crashes
        per workflow.
        """
        if not lost:
            return {}
        rows = await self.fetch(NOTE_CRASHES, *(list(column) for column in zip(*lost, strict=True)))
        return {row["workflow"]: row["crashes"] for row in rows}

    async def drop_old_crashes(self, age_seconds: float) -> None:
        """Forget old crashes."""
        await self.fetch(
            "delete from hosting.crashes where at < now() - make_interval(secs => $1)", age_seconds
        )

    async def try_lead(self) -> "Leadership | None":
        """Try to become the one worker that recovers others; None if another worker already is."""
        pool = await self._connect()
        connection = await pool.acquire()
        taken = False
        try:
            taken = await connection.fetchval("select pg_try_advisory_lock($1)", RECOVERY_LOCK)
        finally:
            if not taken:
                await pool.release(connection)
        return Leadership(connection) if taken else None

    async def close(self) -> None:
        """Close the connections."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = self._heart = None


class Leadership:
    """The lock of the worker that recovers others; it is released when its connection closes."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def is_held(self) -> bool:
        """Whether the connection is still open."""
        try:
            await self._connection.fetchval("select 1")
        except UNREACHABLE:
            _abandon(self._connection)
            return False
        return True

    def drop(self) -> None:
        """Give it up at once, with its connection."""
        _abandon(self._connection)


def _abandon(connection: Any) -> None:
    """Free a connection's locks and its place in the pool, whatever state it is in."""
    # A connection that the server closed is already back in the pool, and this raises.
    with suppress(asyncpg.InterfaceError):
        connection.terminate()
