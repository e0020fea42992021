"""The worker process: launches DBOS with our queues and workflows, sends heartbeats, and drains.

One process is one executor. Its version is the engine number: the engine that starts a turn also finishes it.
"""

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeAlias

from dbos import DBOS, DBOSConfig

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.durable_runner import ExecutionLostError
from talewright.hosting.executor_recovery import ExecutorRecovery
from talewright.hosting.hosting_tables import UNREACHABLE, HostingTables
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.hosting.turn_jobs import APPLICATION, BACKGROUND, TURNS
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.turn_worker import TurnWorker
from talewright.turn.engine_number import ENGINE_NUMBER

POLL_SECONDS = 0.05
"""How often a worker checks for orders: the longest time from an order to its start."""

BACKGROUND_POLL_SECONDS = 0.25
POOL_SIZE = 16
"""Connections of a worker to DBOS's tables."""

GARBAGE_THRESHOLD = 20_000
"""New objects after which the garbage collector runs. With Python's default of 700, a worker spent a
twentieth of its time on scanning games and libraries, which are never collected.
"""

WorkflowCall: TypeAlias = Callable[[str, Mapping[str, Json]], Awaitable[Json]]
"""The work of a workflow: takes its id and its argument."""

_LOG = logging.getLogger(__name__)


@frozen
class WorkerSettings:
    """The settings of one worker."""

    database_url: str
    executor: str
    """Its name: unique, and never used again."""

    turns_max: int = 64
    """How many turns it runs at the same time."""

    background_max: int = 16
    drain_seconds: float = 30.0
    """How long it waits for running turns before it ends; other workers finish the rest."""

    version: str = str(ENGINE_NUMBER)


class WorkerProcess:
    """The worker of this process; DBOS allows one."""

    def __init__(self, settings: WorkerSettings, parts: WorkerParts) -> None:
        self.settings = settings
        self.queue = TurnQueue(settings.database_url)
        self.tables = HostingTables(settings.database_url)
        self.worker = TurnWorker(parts, self.queue, self.tables)
        self.recovery = ExecutorRecovery(settings.executor, settings.version, parts, self.queue, self.tables)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_working(self) -> bool:
        """Whether it takes orders, and other workers can see that it is alive."""
        return bool(self._tasks)

    async def start(self) -> None:
        """Take orders from now on."""
        settings = self.settings
        gc.set_threshold(GARBAGE_THRESHOLD)
        # No other worker may think that it is dead before it has started.
        await self.tables.beat(settings.executor, settings.version)
        await self.queue.prepare()
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": make_database_url(settings.database_url),
            "sys_db_pool_size": POOL_SIZE,
            "application_version": settings.version,
            "executor_id": settings.executor,
            "serializer": PlainJsonSerializer(),
            "enable_otlp": False,
            "log_level": "WARNING",
        }
        DBOS(config=config)
        self._register()
        # DBOS uses the running event loop, where books, models and events live.
        DBOS.launch()
        for queue, workers, seconds in (
            (TURNS, settings.turns_max, POLL_SECONDS),
            (BACKGROUND, settings.background_max, BACKGROUND_POLL_SECONDS),
        ):
            await DBOS.register_queue_async(
                queue, partition_concurrency=1, worker_concurrency=workers, polling_interval_sec=seconds
            )
        self._tasks = [
            asyncio.create_task(self.recovery.beat_forever()),
            asyncio.create_task(self.recovery.recover_forever()),
        ]

    def _register(self) -> None:
        worker = self.worker

        async def take(argument: dict[str, Json]) -> Json:
            return await _guard(worker.take, argument)

        async def condense(argument: dict[str, Json]) -> Json:
            return await _guard(worker.condense, argument)

        DBOS.workflow(name=TURNS)(take)
        DBOS.workflow(name=BACKGROUND)(condense)

    async def drain(self) -> int:
        """Take no more orders, finish running turns, and end; returns how many turns others must finish."""
        await asyncio.to_thread(
            DBOS.destroy, workflow_completion_timeout_sec=max(int(self.settings.drain_seconds), 1)
        )
        # DBOS has shut down the default executor of the loop.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        left = self.worker.running
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        with suppress(*UNREACHABLE):
            await self.recovery.hand_over()
        return len(left)

    async def close(self) -> None:
        """Close all connections; called once nothing is running."""
        await self.worker.cache.close()
        await self.queue.close()
        await self.tables.close()


async def _guard(work: WorkflowCall, argument: Mapping[str, Json]) -> Json:
    """Run a workflow; if this execution cannot continue, raise DBOS's own error."""
    workflow = DBOS.workflow_id or ""
    try:
        return await work(workflow, argument)
    except ExecutionLostError as lost:
        _LOG.warning("workflow %s cannot go on here: %s", workflow, lost)
        raise (lost.__cause__ or lost) from None


async def work_until_stopped(process: WorkerProcess, stopped: asyncio.Event) -> int:
    """Work until stopped, then drain; returns how many turns others must finish."""
    await process.start()
    await stopped.wait()
    return await process.drain()
