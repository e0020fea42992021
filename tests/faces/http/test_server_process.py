"""A real server process: killed in the midst of a turn, it has lost nothing when it comes back."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.faces.http.serving import HEADERS, make_lobby, serve_process
from tests.play.tellers import cards

pytestmark = pytest.mark.process

GAME = {"game": "mist_harbor", "language": "en", "name": "one"}
PLACE = "/api/campaigns/one"
TURN = {"kind": "say", "text": "I look around.", "operation_id": "turn-1"}
SECONDS_MAX = 60


class Gated(Scripted):
    """A script that stops in mid-stream as long as a file is not there."""

    gate = Path()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Say a line, once the file is there all of it."""
        async for chunk in super().stream(request):
            yield chunk
            while not self.gate.exists():
                await asyncio.sleep(0.01)


def make_gated_lobby(saves: str, gate: str) -> StoreLobby:
    """A lobby whose teller waits for a file."""
    provider = Gated(lambda _: cards("The fog comes in. It stays for good."), cut=by(40))
    provider.gate = Path(gate)
    return replace(make_lobby(saves), teller=Teller(provider))


async def read_until(client: httpx.AsyncClient, wanted: str, after: int) -> tuple[int, str]:
    """Read the news of the turn until an event; the number of the last, and its data."""
    seen = after
    headers = {"Last-Event-ID": str(after)}
    async with client.stream("GET", f"{PLACE}/news", headers=headers) as stream:
        event = ""
        async for line in stream.aiter_lines():
            name, _, value = line.partition(": ")
            seen = int(value) if name == "id" else seen
            event = value if name == "event" else event
            if name == "data" and event.startswith(wanted) and '"operation_id":"turn-1"' in value:
                return seen, value
    raise AssertionError(f"no {wanted} in the news")


def test_killed_in_the_midst_of_a_turn(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    factory = "tests.faces.http.test_server_process:make_gated_lobby"

    async def main() -> None:
        with serve_process(factory, saves=str(tmp_path / "saves"), gate=str(gate)) as server:
            async with httpx.AsyncClient(base_url=server.url, headers=HEADERS, timeout=SECONDS_MAX) as client:
                begun = await client.post("/api/campaigns", json=GAME)
                opening = f"{PLACE}/operations/{begun.headers['talewright-opening']}"
                assert (await client.get(opening, params={"wait": 30})).status_code == 200
                accepted = await client.post(f"{PLACE}/turns", json=TURN)
                assert accepted.status_code == 202
                last, _ = await read_until(client, "narration.", 0)
                server.kill()
                server.start()
                waiting = await client.get(accepted.headers["location"])
                assert (waiting.status_code, waiting.json()["state"]) == (202, "waiting")
                assert (await client.get(f"{PLACE}/view")).json()["unfinished"] == TURN["text"]
                gate.touch()
                reading = asyncio.create_task(read_until(client, "turn.committed", last))
                told = await client.post(f"{PLACE}/turns", params={"wait": 30}, json=TURN)
                assert (told.json()["kind"], told.json()["operation_id"]) == ("committed", "turn-1")
                _, committed = await reading
                assert told.json()["commit"] in committed
                view = (await client.get(f"{PLACE}/view")).json()
                assert (view["version"], view["unfinished"]) == (2, "")
                assert "It stays for good." in view["turn"]["narration"]

    asyncio.run(main())
