"""Servers of events: an API node of ours, and a plain Starlette byte stream, both fed from Redis.

`python -m bench.hosted.event_servers SIDE URL REDIS_URL CAMPAIGNS` is started by `running_server`.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

import uvicorn
from redis.asyncio import Redis
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from bench.hosted.our_side import GAME, KEYS, OWNER, Library, make_teller, name_campaign
from talewright.bootstrap import new_id
from talewright.bootstrap.mcp_launcher import listen
from talewright.faces.http.guards.open_requests import OpenRequests
from talewright.faces.http.guards.request_guards import RequestGuards
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import PAUSE_SECONDS, RedisNews, name_stream
from talewright.hosting.node_services import NodeServices
from talewright.hosting.turn_jobs import name_place
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.shards import single_database
from tests.faces.http.serving import make_app
from tests.plays.stage import NOW, SECRET

NEWS = "/api/campaigns/{campaign}/news"
BACKLOG = 4096


def name_news(campaign: str) -> str:
    """The key of a campaign's stream in Redis."""
    return name_stream(name_place(OWNER, campaign))


class PlainServer:
    """The bare engine: one reader of all streams in Redis, and a queue for each client."""

    def __init__(self, redis_url: str, campaigns: int) -> None:
        self._redis: Any = Redis.from_url(redis_url, decode_responses=True)
        self._queues: dict[str, list[asyncio.Queue[bytes]]] = {
            name_news(name_campaign(number)): [] for number in range(campaigns)
        }
        self.app = Starlette(routes=[Route(NEWS, self._stream)])

    async def read(self) -> None:
        """Hand on what comes from Redis, collected as long as ours is."""
        last = dict.fromkeys(self._queues, "0-0")
        while True:
            found = await self._redis.xread(last, block=2_000)
            for key, entries in found.items() if isinstance(found, dict) else found:
                for entry, fields in entries[0] if isinstance(found, dict) else entries:
                    last[key] = entry
                    frame = f"id: {entry}\nevent: narration.delta\ndata: {fields['s']}\n\n".encode()
                    for queue in self._queues[key]:
                        queue.put_nowait(frame)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _stream(self, request: Request) -> StreamingResponse:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._queues[name_news(request.path_params["campaign"])].append(queue)

        async def frames() -> AsyncIterator[bytes]:
            while True:
                yield await queue.get()

        return StreamingResponse(frames(), media_type="text/event-stream")


async def open_our_app(url: str, redis_url: str, port: int) -> Any:
    """The API of a node behind its guards."""
    store = await connect(single_database(url), KEYS)
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(redis_url))
    await services.queue.prepare()
    teller = make_teller()
    lobby = StoreLobby(
        store=store.for_owner(OWNER),
        shelf=Library(GAME),
        now=lambda: NOW,
        new_id=new_id,
        new_secret=lambda: SECRET,
        hire=lambda game, campaign: teller,
    )
    return RequestGuards(OpenRequests(make_app(services.host(lobby, OWNER))), port)


async def serve(side: str, url: str, redis_url: str, campaigns: int) -> None:
    """Serve, and say what it has cost whenever a line comes."""
    reading: asyncio.Task[None] | None = None
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        if side == "ours":
            app = await open_our_app(url, redis_url, port)
        else:
            plain = PlainServer(redis_url, campaigns)
            app, reading = plain.app, asyncio.create_task(plain.read())
        config = uvicorn.Config(app, log_level="warning", access_log=False, backlog=BACKLOG)
        serving = asyncio.create_task(uvicorn.Server(config).serve(sockets=[listening]))
        print(port, flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            assert not serving.done()
            assert reading is None or not reading.done()
            print(json.dumps(process_time()), flush=True)
    os._exit(0)


class EventServer:
    """A server process, as the bench sees it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.port = int(self._hear())

    def read_cpu(self) -> float:
        """Seconds of processor that it has used."""
        assert self._process.stdin is not None
        print("cpu", file=self._process.stdin, flush=True)
        return float(self._hear())

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def running_server(side: str, url: str, redis_url: str, campaigns: int) -> Iterator[EventServer]:
    """A server process, killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.hosted.event_servers", side, url, redis_url, str(campaigns)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield EventServer(process)
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
