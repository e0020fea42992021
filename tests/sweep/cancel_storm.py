"""A hundred thousand requests of fifty owners against two nodes, half of them cut off by their clients.

An example is a request. Each chunk is a storm on a fresh host. No byte may reach the wrong owner, no canary
may reach anybody, and no connection may be left open.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import running_redis
from tests.hosting.cancel_storm import rage
from tests.hosting.storm_host import storm_host

FULL_COUNT = 100_000
CHUNK = 5_000


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Send `count` requests."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_postgres() as postgres,
        running_redis() as redis,
        storm_host(Path(folder), postgres.url(postgres.create_database()), redis.url) as host,
    ):
        return asyncio.run(rage(host, count, seed, progress)).requests
