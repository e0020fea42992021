"""Health, readiness and metrics over HTTP, with real servers that go away."""

import asyncio
import re
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg
import httpx
import pytest
from dbos import run_dbos_database_migrations

from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.operations.health_checks import HealthChecks, PartState
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.operations.operations_server import (
    OperationsApp,
    QueueSampler,
    serve_operations,
)
from talewright.hosting.turn_jobs import TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.shards import single_database
from talewright_testkit.servers.redis_server import running_redis
from tests.stores.postgres.stores import KEYS

NOWHERE = "postgresql://ann:canary@127.0.0.1:9/tales"
NO_REDIS = "redis://127.0.0.1:9/0"
SSL_REQUEST = struct.pack("!i", 80_877_103)


async def migrate(url: str) -> None:
    await (await connect(single_database(url), KEYS)).close()


def ask(app: OperationsApp, use: Callable[[httpx.AsyncClient], Awaitable[None]]) -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            async with serve_operations(app, listening), httpx.AsyncClient(base_url=address) as client:
                await use(client)

    asyncio.run(run())


def test_a_process_is_ready_degraded_or_not(database_url: str) -> None:
    async def use(client: httpx.AsyncClient) -> None:
        async def read() -> tuple[int, dict[str, object]]:
            answer = await client.get("/readyz")
            assert "canary" not in answer.text
            return answer.status_code, answer.json()

        assert await read() == (
            503,
            {"state": "unready", "databases": ["not_migrated"], "redis": "ok", "tasks": {}},
        )
        await migrate(database_url)
        assert await read() == (200, {"state": "ready", "databases": ["ok"], "redis": "ok", "tasks": {}})
        redis.kill()
        degraded = {"state": "degraded", "databases": ["ok"], "redis": "unreachable", "tasks": {}}
        assert await read() == (200, degraded)
        assert (await client.get("/healthz")).json() == {"state": "alive"}

    with running_redis() as redis:
        ask(OperationsApp(HealthChecks([database_url], redis.url), HostMetrics()), use)


def test_a_lost_database_makes_a_process_unready(database_url: str) -> None:
    async def use(client: httpx.AsyncClient) -> None:
        await migrate(database_url)
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json() == {
            "state": "unready",
            "databases": ["ok", "unreachable"],
            "redis": "unreachable",
            "tasks": {},
        }
        # A process that lives must not be killed because its database is away.
        assert (await client.get("/healthz")).status_code == 200

    ask(OperationsApp(HealthChecks([database_url, NOWHERE], NO_REDIS), HostMetrics()), use)


@pytest.mark.parametrize(("is_serving", "answer"), [(False, (503, "starting")), (True, (200, "degraded"))])
def test_a_process_that_takes_nothing_yet_is_not_ready(
    database_url: str, is_serving: bool, answer: tuple[int, str]
) -> None:
    async def use(client: httpx.AsyncClient) -> None:
        await migrate(database_url)
        found = await client.get("/readyz")
        assert (found.status_code, found.json()["state"]) == answer

    checks = HealthChecks([database_url], NO_REDIS, is_serving=lambda: is_serving)
    ask(OperationsApp(checks, HostMetrics()), use)


def frame(kind: bytes, body: bytes) -> bytes:
    """A message of PostgreSQL."""
    return kind + struct.pack("!i", len(body) + 4) + body


async def die_after_login(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What PostgreSQL sends if it goes down just after a client has logged in."""
    while True:
        (size,) = struct.unpack("!i", await reader.readexactly(4))
        if await reader.readexactly(size - 4) != SSL_REQUEST:
            break
        writer.write(b"N")
    writer.write(
        frame(b"R", struct.pack("!i", 0))
        + frame(b"S", b"server_version\x0015.0\x00")
        + frame(b"Z", b"I")
        + frame(b"E", b"SFATAL\x00C57P02\x00Mterminating connection\x00\x00")
    )
    try:
        with suppress(ConnectionError):
            await reader.read()
    finally:
        writer.transport.abort()


def test_a_database_that_dies_after_the_login_makes_a_process_unready() -> None:
    async def run() -> None:
        async with await asyncio.start_server(die_after_login, "127.0.0.1", 0) as server:
            url = f"postgresql://ann@127.0.0.1:{server.sockets[0].getsockname()[1]}/tales"
            assert (await HealthChecks([url], NO_REDIS).check()).databases == (PartState.UNREACHABLE,)
            # It keeps the last figures.
            await QueueSampler(url, HostMetrics()).look()

    asyncio.run(run())


def test_the_metrics_show_the_queues_of_the_host(database_url: str) -> None:
    metrics = HostMetrics()

    async def use(client: httpx.AsyncClient) -> None:
        answer = await client.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        assert "talewright_waiting_inputs 2.0" in answer.text
        assert 'talewright_queue_length{queue="turns"} 1.0' in answer.text
        assert 'talewright_live_workers{engine="4"} 1.0' in answer.text
        assert 'talewright_live_workers{engine="3"}' not in answer.text
        oldest = re.search(r'oldest_queued_seconds{queue="turns"} ([0-9.]+)', answer.text)
        assert oldest is not None
        assert 90 <= float(oldest[1]) < 120
        assert "harbor" not in answer.text
        again = await client.get("/metrics")
        assert pick_sampled(again.text) == pick_sampled(answer.text)

    run_dbos_database_migrations(system_database_url=make_database_url(database_url))

    async def order() -> None:
        queue = TurnQueue(database_url, pool_size=1)
        for number in range(2):
            await queue.order_turn(TurnJob("ann", "harbor", f"op-{number}", "c" * 40, 0))
        await queue.close()
        connection = await asyncpg.connect(database_url)
        await connection.execute(
            "update dbos.workflow_status set status = 'PENDING' where workflow_uuid like '%op-0%'"
        )
        await connection.execute("update dbos.workflow_status set created_at = created_at - 90000")
        tables = HostingTables(database_url)
        await tables.beat("worker-1", "4")
        await tables.beat("worker-2", "3")
        # The second has been silent for long.
        await connection.execute(
            "update hosting.executors set answered = answered - 60 where executor = 'worker-2'"
        )
        await connection.close()
        await tables.close()

    asyncio.run(order())
    checks = HealthChecks([database_url], NO_REDIS)
    ask(OperationsApp(checks, metrics, QueueSampler(database_url, metrics)), use)


def pick_sampled(text: str) -> list[str]:
    """What the databases said about the host."""
    names = ("talewright_waiting_inputs", "talewright_queue_length", "talewright_oldest", "talewright_live")
    return [line for line in text.splitlines() if line.startswith(names)]


@pytest.mark.parametrize("url", [NOWHERE, "nonsense"])
def test_metrics_are_told_without_a_database(url: str) -> None:
    metrics = HostMetrics()

    async def use(client: httpx.AsyncClient) -> None:
        assert (await client.get("/metrics")).status_code == 200

    ask(OperationsApp(HealthChecks([url], NO_REDIS), metrics, QueueSampler(url, metrics)), use)


def test_nothing_else_is_answered() -> None:
    async def use(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/campaigns")).status_code == 404
        assert (await client.post("/metrics")).status_code == 405
        answer = await client.head("/healthz")
        assert (answer.status_code, answer.content) == (200, b"")

    ask(OperationsApp(HealthChecks([NOWHERE], NO_REDIS), HostMetrics()), use)
