"""The first words of a turn over HTTP, against the same turn on a Session in this process.

Both are told by the same script on a folder of their own. Over HTTP the time runs from the request to the
first piece of narration on an open stream of the news, through a server in a process of its own.
"""

import asyncio
import json
import statistics
import tempfile
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import httpx

from bench.figures import at_most, report
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.play.news import NewsKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.faces.http.serving import HEADERS, make_lobby, serve_process
from tests.play.tellers import cards

TURNS = 40
WARM_UP = 5
"""Turns that are not counted."""

RATIO = 1.2
MORE_MS_MAX = 5.0
"""What a request may add beyond that ratio."""

NARRATION = "Behind the door the fog speaks, and nobody on the pier answers it."
GAME = "mist_harbor"
PACE_SECONDS = 0.01


class PacedScript(Scripted):
    """A script whose pieces come one after the other, as those of a model do."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Say the next line, with a pause after each piece."""
        async for chunk in super().stream(request):
            yield chunk
            await asyncio.sleep(PACE_SECONDS)


def make_told_lobby(saves: str) -> StoreLobby:
    """A lobby whose campaigns are told by a script."""
    told = cards(NARRATION)
    return replace(make_lobby(saves), teller=Teller(PacedScript(lambda _: told, cut=by(20))))


async def time_local(session: StoreSession, number: int) -> float:
    """Milliseconds until the first words, on a session."""
    watch = session.watch()
    start = perf_counter()
    telling = asyncio.create_task(session.say(f"I listen. {number}"))
    async for news in watch:
        if news.kind is NewsKind.NARRATION_DELTA:
            break
    seconds = perf_counter() - start
    await telling
    # What follows a turn must not run beside the next.
    await session.seat.afterwards.rest()
    return seconds * 1e3


async def time_http(client: httpx.AsyncClient, place: str, number: int) -> float:
    """Milliseconds until the first words, over HTTP."""
    sent = {"kind": "say", "text": f"I listen. {number}", "operation_id": f"turn-{number}"}
    async with client.stream("GET", f"{place}/news") as stream:
        lines = stream.aiter_lines()
        # A new stream first says from where it can be resumed; then it listens.
        while not (await anext(lines)).startswith("id: "):
            pass
        start = perf_counter()
        posting = asyncio.create_task(client.post(f"{place}/turns", json=sent))
        while await anext(lines) != "event: narration.delta":
            pass
        seconds = perf_counter() - start
        accepted = await posting
        assert accepted.status_code in (200, 202), accepted.text
    ended = await client.get(f"{place}/operations/turn-{number}", params={"wait": 30})
    assert json.loads(ended.text)["kind"] == "committed", ended.text
    return seconds * 1e3


async def measure(folder: Path) -> dict[str, list[float]]:
    """Both ways, turn by turn."""
    taken: dict[str, list[float]] = {"session": [], "http": []}
    with serve_process("bench.http_first_delta:make_told_lobby", saves=str(folder / "served")) as server:
        async with httpx.AsyncClient(base_url=server.url, headers=HEADERS, timeout=60) as client:
            session = await make_told_lobby(str(folder / "here")).begin(GAME, "en")
            assert session.opening is not None
            await session.opening
            begun = await client.post("/api/campaigns", json={"game": GAME, "language": "en"})
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 30})
            for number in range(WARM_UP + TURNS):
                taken["session"].append(await time_local(session, number))
                taken["http"].append(await time_http(client, place, number))
            await session.close()
    return {name: times[WARM_UP:] for name, times in taken.items()}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        taken = asyncio.run(measure(Path(folder)))
    # The lower quartile: neighbours on the machine delay two processes more often than one.
    quick = {name: statistics.quantiles(times, n=4)[0] for name, times in taken.items()}
    for name, times in taken.items():
        print(f"  {name}: first words after {quick[name]:.1f} ms, median {statistics.median(times):.1f} ms")
    more = quick["http"] - RATIO * quick["session"]
    return report([at_most("http_first_delta_more_ms", more, MORE_MS_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
