"""Server-sent events a CPU-second, against a plain Starlette byte stream that is fed from an asyncio queue.

Both sides send the same events to as many streams, one event at a time. Ours are the news of a campaign, from
its report to the socket, with every piece of narration in an event of its own.
"""

import argparse
import asyncio
import statistics

from bench.figures import at_least, report
from bench.http_streams import add_server_options, open_server, open_stream, run_server

STREAMS = 100
EVENTS = 600
PAUSE_SECONDS = 0.01
PAIRS = 5
RATIO_MIN = 0.7


async def count_events(reader: asyncio.StreamReader, events: int) -> None:
    """Read until so many events have come."""
    seen, last = 0, b""
    while seen < events:
        data = await reader.read(2**16)
        assert data
        joined = last + data
        seen += joined.count(b"data: ") - last.count(b"data: ")
        last = joined[-5:]


async def measure_side(side: str) -> float:
    """Events a CPU-second of the server."""
    async with open_server("bench.http_events", side, EVENTS, PAUSE_SECONDS) as (port, tell, ask):
        opened = [await open_stream(port, "all") for _ in range(STREAMS)]
        await tell()
        await asyncio.gather(*(count_events(reader, EVENTS) for reader, _ in opened))
        cpu = await ask()
    rate = EVENTS * STREAMS / cpu
    print(f"  {side}: {rate:,.0f} events a CPU-second", flush=True)
    return rate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.http_events")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    add_server_options(parser)
    given = parser.parse_args()
    if given.side is not None:
        asyncio.run(run_server(given.side, given.events, given.pause))
        return 0
    ratios = []
    for number in range(given.pairs):
        sides = ("ours", "plain") if number % 2 else ("plain", "ours")
        rates = {side: asyncio.run(measure_side(side)) for side in sides}
        ratios.append(rates["ours"] / rates["plain"])
    return report([at_least("http_events_vs_plain", statistics.median(ratios), RATIO_MIN)])


if __name__ == "__main__":
    raise SystemExit(main())
