"""500 streams of one campaign in one server process, at 5 events a second: how late an event arrives.

The server is a process of its own and the streams are read by this one, so the lag includes the reading.
Every event carries the time at which the campaign reported it. `bench.http_events` uses the same server.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic, process_time
from typing import Any, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from bench.figures import at_most, report
from bench.start import ROOT
from talewright.bootstrap.mcp_launcher import listen
from talewright.faces.http.api_services import ApiServices
from talewright.faces.http.guards.open_requests import OpenRequests
from talewright.faces.http.guards.request_guards import RequestGuards
from talewright.faces.http.sse_frames import write_frame
from talewright.play.campaign_view import Viewer
from talewright.play.news import LIVE, DeltaNews, News
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.turn_signals import NarrationDelta, NarrationReset
from tests.faces.http.serving import TOKEN, make_app, make_lobby

STREAMS = 500
EVENTS_A_SECOND = 5
SECONDS = 12.0
LAG_P99_MS_MAX = 250.0
RESET_EVERY = 200
"""Events after which a narration starts over, as turns do."""

OPERATION = "bench"
CAMPAIGN = "bench"


class OurServer:
    """The API behind its guards, and a campaign whose narration is reported by this class."""

    def __init__(self, folder: str, port: int) -> None:
        app = make_app(make_lobby(folder))
        self._services: ApiServices = app.state.services
        self.app: Any = RequestGuards(OpenRequests(app), port)
        self._session: StoreSession | None = None

    async def prepare(self) -> None:
        """Begin the campaign."""
        session = await self._services.lobby.begin("mist_harbor", "en", CAMPAIGN)
        assert session.opening is not None
        await session.opening
        kept = await self._services.pool.adopt(CAMPAIGN, session)
        assert isinstance(kept, StoreSession)
        assert kept.role is Viewer.PLAYER
        self._session = kept

    def publish(self, number: int) -> None:
        """Report a piece of narration, with the time."""
        assert self._session is not None
        hear = self._session.seat.broadcast.hear
        if number % RESET_EVERY == RESET_EVERY - 1:
            hear(NarrationReset("", branch="main", operation_id=OPERATION))
        else:
            hear(NarrationDelta(f"{monotonic():.6f} ", "main", OPERATION))


class PlainServer:
    """A plain byte stream: each has a queue, and the same bytes are put into each of them."""

    def __init__(self, folder: str, port: int) -> None:
        self._queues: list[asyncio.Queue[bytes]] = []
        path = f"/api/campaigns/{CAMPAIGN}/news"
        self.app: Any = Starlette(routes=[Route(path, self._stream)])

    async def prepare(self) -> None:
        """There is nothing to prepare."""

    def publish(self, number: int) -> None:
        """Put an event into every queue."""
        frame = write_frame(News(LIVE + number, DeltaNews(f"{monotonic():.6f} "), "main", OPERATION))
        for queue in self._queues:
            queue.put_nowait(frame)

    async def _stream(self, request: Request) -> StreamingResponse:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._queues.append(queue)

        async def read() -> AsyncIterator[bytes]:
            while True:
                yield await queue.get()

        return StreamingResponse(read(), media_type="text/event-stream")


SIDES: dict[str, Callable[[str, int], OurServer | PlainServer]] = {"ours": OurServer, "plain": PlainServer}


async def run_server(side: str, events: int, pause_seconds: float) -> None:
    """Serve; when told that all streams are open, report events, and say at the end what they cost."""
    with tempfile.TemporaryDirectory() as folder, listen("127.0.0.1", 0) as listening:
        served = SIDES[side](folder, listening.getsockname()[1])
        config = uvicorn.Config(served.app, log_level="warning", access_log=False, backlog=2048)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await served.prepare()
        print(listening.getsockname()[1], flush=True)
        await _read_line()
        start = process_time()
        due = monotonic()
        for number in range(events):
            served.publish(number)
            due += pause_seconds
            await asyncio.sleep(max(due - monotonic(), 0.0))
        await _read_line()
        print(json.dumps(process_time() - start), flush=True)
        await _read_line()
        serving.cancel()


async def _read_line() -> str:
    return await asyncio.to_thread(sys.stdin.readline)


@asynccontextmanager
async def open_server(
    module: str, side: str, events: int, pause_seconds: float
) -> AsyncIterator[tuple[int, Callable[[], Awaitable[None]], Callable[[], Awaitable[float]]]]:
    """A server process: its port, how to let it begin, and how to ask for its CPU seconds at the end."""
    command = (sys.executable, "-m", module, "--side", side, "--events", str(events))
    process = await asyncio.create_subprocess_exec(
        *command, "--pause", str(pause_seconds), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told, out = process.stdin, process.stdout

    async def tell() -> None:
        told.write(b"\n")
        await told.drain()

    async def ask_cpu() -> float:
        await tell()
        return float(await out.readline())

    try:
        yield int(await out.readline()), tell, ask_cpu
    finally:
        process.kill()
        await process.wait()


OpenStream: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
"""Both ends: a connection is closed when its writer is forgotten."""


async def open_stream(port: int, chunks: str) -> OpenStream:
    """A stream of the news, by hand: a client library would take longer than the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    path = f"/api/campaigns/{CAMPAIGN}/news?chunks={chunks}"
    lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Authorization: Bearer {TOKEN}", "", "")
    writer.write("\r\n".join(lines).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head, head
    return reader, writer


async def collect_lags(reader: asyncio.StreamReader, lags: list[float], events: int) -> None:
    """Read events, and note how long each was on its way."""
    seen: set[str] = set()
    while len(seen) < events:
        line = await reader.readline()
        assert line
        now = monotonic()
        if line.startswith(b"data: "):
            # Pieces of one moment may come together, and text that was missed comes again as a whole.
            new = set(json.loads(line[6:])["data"]["text"].split()) - seen
            lags += [(now - float(stamp)) * 1e3 for stamp in new]
            seen |= new


async def measure_lags(streams: int, seconds: float) -> list[float]:
    """The lag of every event on every stream, in milliseconds."""
    events = int(seconds * EVENTS_A_SECOND)
    lags: list[float] = []
    async with open_server("bench.http_streams", "ours", events, 1 / EVENTS_A_SECOND) as (port, tell, ask):
        opened = [await open_stream(port, "coalesced") for _ in range(streams)]
        await tell()
        await asyncio.gather(*(collect_lags(reader, lags, events) for reader, _ in opened))
        cpu = await ask()
    lags.sort()
    print(f"  {len(lags)} events on {streams} streams, {cpu:.2f} s of CPU in {seconds:.0f} s")
    middle, high = lags[len(lags) // 2], lags[int(len(lags) * 0.99)]
    print(f"  lag: median {middle:.1f} ms, p99 {high:.1f} ms, most {lags[-1]:.1f} ms")
    return lags


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """The options with which a bench starts itself as a server."""
    parser.add_argument("--side", choices=tuple(SIDES), help=argparse.SUPPRESS)
    parser.add_argument("--events", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--pause", type=float, default=0.0, help=argparse.SUPPRESS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.http_streams")
    parser.add_argument("--streams", type=int, default=STREAMS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    add_server_options(parser)
    given = parser.parse_args()
    if given.side is not None:
        asyncio.run(run_server(given.side, given.events, given.pause))
        return 0
    lags = asyncio.run(measure_lags(given.streams, given.seconds))
    return report([at_most("http_lag_p99_ms", lags[int(len(lags) * 0.99)], LAG_P99_MS_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
