"""Events of a host a CPU-second, against a plain Starlette byte stream that is fed from Redis the same way.

Pieces of narration are written to the Redis streams of some campaigns by this process, as a worker would, but
each as an entry of its own. A server process reads all streams with one connection and sends every piece to
all clients of its campaign. Ours is an API node behind its guards: it reads the signal, makes the news that a
player may see, and keeps them for clients that come back. The plain one hands the bytes on.

Then 2,000 clients are connected to one node of ours, and every campaign has one piece a second. 50 clients
parse what comes and note how late it is; the others only read.
"""

import argparse
import asyncio
import json
import os
import statistics
from itertools import count
from time import monotonic
from typing import Any

from redis.asyncio import Redis

from bench.figures import Figure, at_least, at_most, report
from bench.hosted.event_servers import EventServer, name_news, running_server
from bench.hosted.our_side import found_campaigns, name_campaign
from bench.hosted.side_process import read_cpu
from talewright.hosting.news.redis_stream_retention import ENTRIES_MAX, KEEP_SECONDS, PUBLISH
from talewright.hosting.news.signal_codec import write_signal
from talewright.turn.turn_signals import NarrationDelta
from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from tests.faces.http.serving import TOKEN

CAMPAIGNS, STREAMS = 10, 100
EVENTS, PAUSE_SECONDS = 120, 0.05
"""Events of each campaign in a round, and the time between two."""

WARM_UP = 5
PAIRS = 5
RATIO_MIN = 0.7
MANY_CAMPAIGNS, MANY_STREAMS, PARSED = 200, 2_000, 50
MANY_SECONDS = 15
LAG_P99_MS_MAX = 1_000.0
"""An event must have arrived before the next one is sent."""

SEQUENCE = 1
"""The newest commit of each campaign: its opening."""

_NUMBERS = count(1)


async def publish(redis: Any, script: Any, campaigns: int) -> None:
    """One piece of narration for each campaign, with the time."""
    pipeline = redis.pipeline(transaction=False)
    for number in range(campaigns):
        key = name_news(name_campaign(number))
        said = write_signal(NarrationDelta(f"{monotonic():.6f} ", "main", "bench"))
        arguments = [SEQUENCE, 0, next(_NUMBERS), said, ENTRIES_MAX, KEEP_SECONDS]
        await script([key, f"{key}:newest"], arguments, client=pipeline)
    await pipeline.execute()


async def open_stream(port: int, campaign: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream of the news, by hand: a client library would take longer than the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    path = f"/api/campaigns/{campaign}/news?chunks=all"
    lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Authorization: Bearer {TOKEN}", "", "")
    writer.write("\r\n".join(lines).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head, head
    return reader, writer


async def drain(reader: asyncio.StreamReader, events: int) -> None:
    """Read until so many events have come."""
    seen, last = 0, b""
    while seen < events:
        data = await reader.read(2**16)
        assert data
        joined = last + data
        seen += joined.count(b"data: ") - last.count(b"data: ")
        last = joined[-5:]


async def parse(reader: asyncio.StreamReader, events: int, lags: list[float]) -> None:
    """Read so many events, and note how long each was on its way."""
    seen = 0
    while seen < events:
        line = await reader.readline()
        assert line
        if line.startswith(b"data: "):
            seen += 1
            lags.append((monotonic() - float(json.loads(line[6:])["data"]["text"])) * 1e3)


async def open_all(server: EventServer, campaigns: int, streams: int) -> list[Any]:
    """Streams, evenly over all campaigns; some at a time, as players come."""
    opened: list[Any] = []
    for first in range(0, streams, campaigns):
        wanted = range(first, min(first + campaigns, streams))
        names = [name_campaign(number % campaigns) for number in wanted]
        opened += await asyncio.gather(*(open_stream(server.port, name) for name in names))
    return opened


async def measure_side(server: EventServer, redis_url: str) -> float:
    """Events a CPU-second of a server."""
    redis: Any = Redis.from_url(redis_url)
    script = redis.register_script(PUBLISH)
    opened = await open_all(server, CAMPAIGNS, STREAMS)
    # Whoever has just come is caught up one by one; the first events bring all to the same place.
    reading = [asyncio.create_task(drain(reader, WARM_UP)) for reader, _ in opened]
    for _ in range(WARM_UP):
        await publish(redis, script, CAMPAIGNS)
    await asyncio.gather(*reading)
    begin = server.read_cpu()
    reading = [asyncio.create_task(drain(reader, EVENTS)) for reader, _ in opened]
    for _ in range(EVENTS):
        await publish(redis, script, CAMPAIGNS)
        await asyncio.sleep(PAUSE_SECONDS)
    await asyncio.gather(*reading)
    cpu = await asyncio.to_thread(server.read_cpu) - begin
    await redis.aclose()
    return EVENTS * STREAMS / cpu


async def measure_many(server: EventServer, store: RedisServer, campaigns: int, streams: int) -> list[float]:
    """The lags of many streams, in milliseconds."""
    redis: Any = Redis.from_url(store.url)
    script = redis.register_script(PUBLISH)
    begin = monotonic()
    opened = await open_all(server, campaigns, streams)
    print(f"  {streams} streams of {campaigns} campaigns were opened in {monotonic() - begin:.1f} s")
    lags: list[float] = []
    every = streams // PARSED
    reading = []
    for number, (reader, _) in enumerate(opened):
        read = drain(reader, MANY_SECONDS) if number % every else parse(reader, MANY_SECONDS, lags)
        reading.append(asyncio.create_task(read))
    cpu, begin, stored = server.read_cpu(), monotonic(), read_cpu(store.pid)
    for number in range(MANY_SECONDS):
        await publish(redis, script, campaigns)
        await asyncio.sleep(max(begin + number + 1 - monotonic(), 0.0))
    await asyncio.gather(*reading)
    cpu, seconds = await asyncio.to_thread(server.read_cpu) - cpu, monotonic() - begin
    await redis.aclose()
    lags.sort()
    middle, high = statistics.median(lags), lags[int(len(lags) * 0.99)]
    each = cpu / (MANY_SECONDS * streams) * 1e6
    print(f"  {cpu / seconds:.2f} of a processor, {each:.0f} us an event")
    kept = (read_cpu(store.pid) - stored) / (MANY_SECONDS * campaigns) * 1e6
    print(f"  Redis: {kept:.0f} us of processor a piece, from its writer to one reading node")
    print(f"  lag of {len(lags)} parsed events: median {middle:.0f} ms, p99 {high:.0f}, most {lags[-1]:.0f}")
    return lags


def compare(url: str, redis: RedisServer, pairs: int) -> Figure:
    """Interleaved rounds of both sides, each with a server that has just started."""
    ratios = []
    for number in range(pairs):
        rates = {}
        for side in ("ours", "plain") if number % 2 else ("plain", "ours"):
            redis.flush()
            with running_server(side, url, redis.url, CAMPAIGNS) as server:
                rates[side] = asyncio.run(measure_side(server, redis.url))
        ratios.append(rates["ours"] / rates["plain"])
        shown = ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items())
        print(f"  events a CPU-second: {shown}; {ratios[-1]:.2f}", flush=True)
    return at_least("hosted_events_vs_plain", statistics.median(ratios), RATIO_MIN)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.hosted_events")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--streams", type=int, default=MANY_STREAMS)
    parser.add_argument("--campaigns", type=int, default=MANY_CAMPAIGNS)
    asked = parser.parse_args()
    print(f"  load of the machine: {os.getloadavg()[0]:.1f}")
    with running_postgres() as postgres, running_redis() as redis:
        url = postgres.url(postgres.create_database())
        asyncio.run(found_campaigns(url, max(asked.campaigns, CAMPAIGNS)))
        figure = compare(url, redis, asked.pairs)
        redis.flush()
        with running_server("ours", url, redis.url, asked.campaigns) as server:
            lags = asyncio.run(measure_many(server, redis, asked.campaigns, asked.streams))
    high = lags[int(len(lags) * 0.99)]
    return report([figure, at_most("hosted_lag_p99_ms", high, LAG_P99_MS_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
