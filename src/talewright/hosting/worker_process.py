"""The worker process: launches DBOS with our queues and workflows, sends heartbeats, and drains.

One process is one executor. Its version is the engine number: the engine that begins a turn also finishes it.
"""

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import asyncpg
from dbos import DBOS, DBOSConfig

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.hosting.database_addresses import (
    NAME,
    find_connection_name,
    make_asyncpg_url,
    make_database_url,
)
from talewright.hosting.hosting_tables import (
    HEARTBEATS,
    UNREACHABLE,
    HostingTables,
    is_alive,
    read_heartbeat,
)
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.supervised_tasks import HostTask, SupervisedTasks
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.hosting.recovery.executor_recovery import ExecutorRecovery
from talewright.hosting.recovery.lost_executions import LostExecutions
from talewright.hosting.turn_jobs import APPLICATION, BACKGROUND, TURNS
from talewright.hosting.turn_queue import EngineBindings, TurnQueue, read_engine
from talewright.hosting.turn_worker import TurnWorker
from talewright.turn.engine_number import ENGINE_NUMBER

POLL_SECONDS = 0.05
"""How often a worker checks for orders: the longest time from an order to its start."""

BACKGROUND_POLL_SECONDS = 0.25
POOL_SIZE = 16
"""Connections of a worker to DBOS's tables."""

SHARING_SINCE_ENGINE = 4
"""The first engine whose workers pass turns on that only a later engine can run."""

CONNECT_SECONDS_MAX = 10.0

GARBAGE_THRESHOLD = 20_000
"""New objects after which the garbage collector runs. With Python's default of 700, a worker spent a
twentieth of its time on scanning games and libraries, which are never collected.
"""

HAND_OVER_SECONDS_MAX = 5.0
"""How long a worker that ends waits for the database; if it does not answer, others find its turns later."""


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
        self.worker = TurnWorker(parts, self.queue, self.tables, settings.executor)
        self.tasks = SupervisedTasks(parts.observer)
        self._lost = LostExecutions(parts, self.queue)
        self.recovery = ExecutorRecovery(
            settings.executor, settings.version, parts, self.queue, self.tables, self._lost.active
        )

    @property
    def is_working(self) -> bool:
        """Whether it takes orders, and other workers can see that it is alive."""
        return self.tasks.are_running

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
        name = find_connection_name(settings.database_url)
        if name:
            config["db_engine_kwargs"] = {"connect_args": {NAME: name}}
        DBOS(config=config)
        self._register()
        bindings = EngineBindings(self.tables)
        async with bindings.starting():
            # DBOS uses the running event loop, where books, models and events live.
            DBOS.launch()
        for queue, workers, seconds in (
            (TURNS, settings.turns_max, POLL_SECONDS),
            (BACKGROUND, settings.background_max, BACKGROUND_POLL_SECONDS),
        ):
            await DBOS.register_queue_async(
                queue,
                partition_concurrency=1,
                worker_concurrency=workers,
                polling_interval_sec=seconds,
                on_conflict="always_update",
            )
        await bindings.share_orders()
        self.tasks.start(HostTask.HEARTBEAT, self.recovery.beat_forever)
        self.tasks.start(HostTask.RECOVERY, self.recovery.recover_forever)
        self.tasks.start(HostTask.WISHES, self.worker.hear_wishes_forever)

    def _register(self) -> None:
        async def take(argument: dict[str, Json]) -> Json:
            return await self._lost.guard(TURNS, self.worker.take, argument)

        async def condense(argument: dict[str, Json]) -> Json:
            return await self._lost.guard(BACKGROUND, self.worker.condense, argument)

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
        await self.tasks.stop()
        with suppress(*UNREACHABLE):
            async with asyncio.timeout(HAND_OVER_SECONDS_MAX):
                await self.recovery.hand_over()
        return len(left)

    async def close(self) -> None:
        """Close all connections; called once nothing is running."""
        await self.worker.cache.close()
        await self.queue.close()
        await self.tables.close()


async def work_until_stopped(process: WorkerProcess, stopped: asyncio.Event) -> int:
    """Work until stopped or retired, then drain; returns how many turns others must finish."""
    await process.start()
    reasons = [asyncio.ensure_future(one.wait()) for one in (stopped, process.recovery.retired)]
    await asyncio.wait(reasons, return_when=asyncio.FIRST_COMPLETED)
    for reason in reasons:
        reason.cancel()
    return await process.drain()


async def refuse_older_workers(database_url: str) -> None:
    """Refuse to run beside workers that fail turns which they cannot read; raises TalewrightError.

    It changes nothing, not even the tables of the host: the older workers must be able to start again.
    """
    connection = await asyncpg.connect(make_asyncpg_url(database_url), timeout=CONNECT_SECONDS_MAX)
    try:
        rows = await connection.fetch(HEARTBEATS, True)
    except asyncpg.UndefinedTableError:
        return
    finally:
        connection.terminate()
    running = [one for one in map(read_heartbeat, rows) if is_alive(one)]
    engines = sorted(read_engine(one.version) for one in running)
    if engines and engines[0] < SHARING_SINCE_ENGINE:
        raise TalewrightError(
            f"workers with engine {engines[0]} are running; this version has engine {ENGINE_NUMBER}",
            "Update all nodes first. Then stop these workers with SIGTERM, and start this one: it continues "
            "their turns. Nothing was changed.",
        )
