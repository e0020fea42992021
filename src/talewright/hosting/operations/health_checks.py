"""Health checks: whether a process can do its work, and what is wrong if not.

Without its databases a process is not ready, nor before it takes requests or turns. Without Redis, or while
a background task is failing, it is degraded: turns continue, so it stays in service.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from enum import StrEnum

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.hosting.hosting_tables import UNREACHABLE
from talewright.stores.postgres.migration_runner import SchemaPart, read_migrations

CHECK_SECONDS_MAX = 2.0
"""How long a server may take to answer; a load balancer asks again soon."""

_REDIS_TROUBLES = (OSError, TimeoutError, RedisError)
_VERSIONS = "select version from schema_versions"


class PartState(StrEnum):
    """What a check has found."""

    OK = "ok"
    UNREACHABLE = "unreachable"
    NOT_MIGRATED = "not_migrated"
    """The database answers, but its schema is older than this program."""

    FAILING = "failing"
    """A background task has failed a moment ago, and was started again."""


class HostState(StrEnum):
    """The state of a process."""

    STARTING = "starting"
    """It takes no requests or turns yet, or no more."""

    READY = "ready"
    DEGRADED = "degraded"
    """It works, without Redis or with a background task that is failing."""

    UNREADY = "unready"


@frozen
class Readiness:
    """The result of the checks. It names parts, never addresses."""

    databases: tuple[PartState, ...]
    redis: PartState
    tasks: Mapping[str, PartState] = field(default_factory=dict)
    """The background tasks of the process."""

    is_serving: bool = True
    """Whether the process takes requests or turns."""

    @property
    def state(self) -> HostState:
        """The overall state."""
        if any(one is not PartState.OK for one in self.databases):
            return HostState.UNREADY
        if not self.is_serving:
            return HostState.STARTING
        others = (self.redis, *self.tasks.values())
        return HostState.READY if all(one is PartState.OK for one in others) else HostState.DEGRADED

    @property
    def is_ready(self) -> bool:
        """Whether the process can do its work."""
        return self.state in (HostState.READY, HostState.DEGRADED)

    def to_json(self) -> Json:
        """As JSON, for load balancers and operators."""
        return {
            "state": self.state.value,
            "databases": [one.value for one in self.databases],
            "redis": self.redis.value,
            "tasks": {name: one.value for name, one in sorted(self.tasks.items())},
        }


class HealthChecks:
    """Checks the servers that a process depends on, each with a connection of its own, and its tasks."""

    def __init__(
        self,
        database_urls: Sequence[str],
        redis_url: str,
        failing_tasks: Mapping[str, bool] | None = None,
        is_serving: Callable[[], bool] = lambda: True,
    ) -> None:
        self._is_serving = is_serving
        self._failing_tasks = {} if failing_tasks is None else failing_tasks
        self._database_urls = tuple(make_asyncpg_url(url) for url in database_urls)
        self._redis_url = redis_url

    async def check(self) -> Readiness:
        """Check all of them at once."""
        *databases, redis = await asyncio.gather(
            *(_check_in_time(_check_database(url)) for url in self._database_urls),
            _check_in_time(_check_redis(self._redis_url)),
        )
        tasks = {
            name: PartState.FAILING if fails else PartState.OK for name, fails in self._failing_tasks.items()
        }
        return Readiness(tuple(databases), redis, tasks, self._is_serving())


async def _check_in_time(check: Awaitable[PartState]) -> PartState:
    try:
        async with asyncio.timeout(CHECK_SECONDS_MAX):
            return await check
    except (*UNREACHABLE, RedisError, ValueError):
        return PartState.UNREACHABLE


async def _check_database(url: str) -> PartState:
    connection = await asyncpg.connect(url, timeout=CHECK_SECONDS_MAX)
    try:
        applied = {row["version"] for row in await connection.fetch(_VERSIONS)}
    except asyncpg.UndefinedTableError:
        applied = set()
    finally:
        connection.terminate()
    # A newer schema is fine: during a deployment, nodes of the previous version keep running.
    needed = {step.version for step in read_migrations(SchemaPart.CAMPAIGNS)}
    return PartState.OK if needed <= applied else PartState.NOT_MIGRATED


async def _check_redis(url: str) -> PartState:
    redis = Redis.from_url(url, socket_timeout=CHECK_SECONDS_MAX, socket_connect_timeout=CHECK_SECONDS_MAX)
    try:
        await redis.ping()
    finally:
        with suppress(*_REDIS_TROUBLES):
            await redis.aclose(close_connection_pool=True)
    return PartState.OK
