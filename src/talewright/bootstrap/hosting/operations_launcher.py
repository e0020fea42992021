"""The operations launcher: logs as JSON lines, and serves health and metrics on a separate port.

Nodes and workers run inside its context manager.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from talewright.bootstrap.hosting.host_addresses import REDIS_URL, read_bind
from talewright.bootstrap.mcp_launcher import listen
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.hosting.operations.health_checks import HealthChecks
from talewright.hosting.operations.host_metrics import HostMetrics, PoolUse
from talewright.hosting.operations.json_logs import log_event, write_json_logs
from talewright.hosting.operations.operations_server import OperationsApp, QueueSampler, serve_operations
from talewright.hosting.operations.outage_watch import OutageWatch
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards

OPERATIONS_BIND = "TALEWRIGHT_OPERATIONS_BIND"
"""The variable with the address for health and metrics, such as `0.0.0.0:9464`; without it there is none."""


_LOG = logging.getLogger(__name__)


@asynccontextmanager
async def run_operations(environment: Mapping[str, str], role: str) -> AsyncIterator[HostMetrics]:
    """Log as JSON, and serve health and metrics if a port is set; `role` is what this process is."""
    metrics = HostMetrics(role)
    write_json_logs()
    log_event(_LOG, "process_started", role=role)
    databases = parse_shards(environment.get(DATABASE_URL, "")).databases
    bind = environment.get(OPERATIONS_BIND, "").strip()
    checks = HealthChecks(
        databases, environment.get(REDIS_URL, ""), metrics.failing_tasks, lambda: metrics.is_serving()
    )
    watching = asyncio.create_task(OutageWatch(checks, metrics).watch_forever())
    try:
        if not bind:
            yield metrics
        else:
            sampler = QueueSampler(make_asyncpg_url(databases[0]), metrics)
            with listen(*read_operations_bind(bind)) as listening:
                async with serve_operations(OperationsApp(checks, metrics, sampler), listening):
                    yield metrics
    finally:
        watching.cancel()
    log_event(_LOG, "process_stopped", role=role)


def watch_pools(metrics: HostMetrics, store: PostgresStore, queue: TurnQueue) -> None:
    """Show the connections of this process in its metrics: those to campaigns, and those to the queue."""
    pools, servers = [one.pool for one in store.databases], metrics.servers
    servers.watch_pool("campaigns", lambda: [PoolUse(one.used, one.size, one.waiting) for one in pools])
    servers.watch_pool("queue", lambda: [PoolUse(queue.pool.checkedout(), queue.pool.size())])


def read_operations_bind(text: str) -> tuple[str, int]:
    """Address and port of the variable; raises SettingsError."""
    return read_bind(text, OPERATIONS_BIND, "127.0.0.1:9464")
