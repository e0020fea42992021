"""The operations server: health, readiness and metrics of a process, on a port that only operators reach.

It serves three paths, takes no input, and answers with numbers and fixed words.
"""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

import asyncpg
import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST

from talewright.hosting.hosting_tables import HEARTBEATS, UNREACHABLE, is_alive, read_heartbeat
from talewright.hosting.operations.health_checks import HealthChecks
from talewright.hosting.operations.host_metrics import HostMetrics, HostSample
from talewright.hosting.operations.measured_parts import Message, Receive, Send
from talewright.hosting.turn_jobs import BACKGROUND, TURNS

HEALTH_PATH = "/healthz"
READINESS_PATH = "/readyz"
METRICS_PATH = "/metrics"
JSON_TYPE = "application/json"

SAMPLE_SECONDS = 5.0
"""How long the queue figures are reused for all requests."""

LOOK_SECONDS_MAX = 2.0
_QUEUES = """
select queue_name, status, count(*) as jobs,
  extract(epoch from now())::float - min(created_at) / 1000.0::float as seconds
from dbos.workflow_status
where status in ('ENQUEUED', 'PENDING') and queue_name = any($1) group by queue_name, status
"""
_HAS_WORKERS = "select to_regclass('hosting.executors') is not null"


class QueueSampler:
    """Measures the queues of a host and counts its live workers, at most every few seconds."""

    def __init__(self, url: str, metrics: HostMetrics) -> None:
        self._url = url
        self._metrics = metrics
        self._due = float("-inf")
        self._looking = asyncio.Lock()

    async def look(self) -> None:
        """Measure, unless that was just done. If there is no answer, the last figures are kept."""
        async with self._looking:
            if monotonic() < self._due:
                return
            self._due = monotonic() + SAMPLE_SECONDS
            try:
                async with asyncio.timeout(LOOK_SECONDS_MAX):
                    connection = await asyncpg.connect(self._url)
                    try:
                        rows = await connection.fetch(_QUEUES, [TURNS, BACKGROUND])
                        has_workers = await connection.fetchval(_HAS_WORKERS)
                        beats = await connection.fetch(HEARTBEATS, True) if has_workers else []
                    finally:
                        connection.terminate()
            except (*UNREACHABLE, ValueError):
                return
        waiting = [row for row in rows if row["status"] == "ENQUEUED"]
        self._metrics.servers.host_seen(
            HostSample(
                {row["queue_name"]: row["jobs"] for row in waiting},
                {row["queue_name"]: max(row["seconds"], 0.0) for row in waiting},
                sum(row["jobs"] for row in rows if row["queue_name"] == TURNS),
                Counter(one.version for one in map(read_heartbeat, beats) if is_alive(one)),
            )
        )


class OperationsApp:
    """The ASGI application."""

    def __init__(
        self, checks: HealthChecks, metrics: HostMetrics, sampler: QueueSampler | None = None
    ) -> None:
        self._checks = checks
        self._metrics = metrics
        self._sampler = sampler

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        status, kind, body = await self._answer(scope["path"]) if _is_reading(scope) else _refuse(405)
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        headers.append((b"cache-control", b"no-store"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _answer(self, path: str) -> tuple[int, str, bytes]:
        if path == HEALTH_PATH:
            return 200, JSON_TYPE, b'{"state": "alive"}'
        if path == READINESS_PATH:
            found = await self._checks.check()
            return 200 if found.is_ready else 503, JSON_TYPE, json.dumps(found.to_json()).encode()
        if path == METRICS_PATH:
            if self._sampler is not None:
                await self._sampler.look()
            return 200, CONTENT_TYPE_LATEST, self._metrics.write()
        return _refuse(404)


class _QuietServer(uvicorn.Server):
    """A server that leaves process signals to the rest of the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@asynccontextmanager
async def serve_operations(app: OperationsApp, listening: socket.socket) -> AsyncIterator[None]:
    """Serve on a listening socket, alongside the work of this process."""
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
    server = _QuietServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def _is_reading(scope: Message) -> bool:
    return scope["method"] in ("GET", "HEAD")


def _refuse(status: int) -> tuple[int, str, bytes]:
    return status, JSON_TYPE, b"{}"
