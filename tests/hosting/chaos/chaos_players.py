"""The players of chaos runs: each plays its own campaign over HTTP, and keeps what was acknowledged to it.

A player goes to another node whenever one does not answer, and sends the same operation again. Some also
watch the news, and hold every text against the story that was told.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from random import Random
from time import monotonic
from typing import Any

import httpx

from talewright.remote.event_stream import EventStreamParser
from tests.hosting.chaos.chaos_host import GAME, MODEL_KEY, OWNER, TOKEN
from tests.hosting.chaos.chaos_provider import tell_story

WAIT_SECONDS = 20
"""How long one request waits for the end of a turn."""

TURN_SECONDS_MAX = 180.0
PAUSE_SECONDS = 0.25
GONE_SECONDS_MAX = 30.0
"""How long a removed campaign or owner may still be served: nodes remember tokens for some seconds."""

EXPECTED = frozenset({200, 201, 202, 401, 404})
"""401 and 404 are for what was removed; they end no turn of anybody else."""

TRY_AGAIN = frozenset({429, 500, 502, 503, 504})


@dataclass
class TakenTurn:
    """One turn, as its player saw it."""

    operation: str
    started: float
    ended: float = 0.0
    commit: str = ""
    accepted: bool = False
    """Whether the host said that the input is saved."""


@dataclass
class PlayerNotes:
    """What all players of a run have noted."""

    turns: list[TakenTurn] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    """Broken connections, and answers that asked to try again."""

    cuts: int = 0
    """News streams that broke and were resumed."""


class ChaosPlayer:
    """One player."""

    def __init__(
        self,
        name: str,
        urls: Sequence[str],
        notes: PlayerNotes,
        seed: str,
        token: str = TOKEN,
        owner: str = OWNER,
    ) -> None:
        self.campaign = name
        self.owner = owner
        self.taken: dict[str, TakenTurn] = {}
        self.told: dict[str, str] = {}
        """The text that the news told of each committed turn."""

        self._notes = notes
        self._urls = urls
        self._nodes = count(Random(seed).randrange(len(urls)))
        timeout = httpx.Timeout(WAIT_SECONDS + 20.0, connect=5.0)
        self._client = httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=timeout)
        self._watching: asyncio.Task[None] | None = None
        self._number = ""

    async def begin(self) -> None:
        """Begin the campaign."""
        body = {"game": GAME, "name": self.campaign, "operation_id": f"begin-{self.campaign}"}
        await self._send("POST", "", body, "/api/campaigns")

    async def wait_opened(self) -> None:
        """Wait until the opening is told."""
        while (await self.read_view())["turn"] is None:
            await asyncio.sleep(PAUSE_SECONDS)

    async def watch(self) -> None:
        """Watch the news from now on; returns when nothing is missed any more."""
        self._watching = asyncio.create_task(self._watch())
        started = monotonic()
        while not self._number:
            assert monotonic() - started < TURN_SECONDS_MAX, f"the news of {self.campaign} do not begin"
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Leave."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        await self._client.aclose()

    async def take(self, operation: str) -> TakenTurn:
        """Take a turn, however often it has to be sent."""
        turn = self.taken[operation] = TakenTurn(operation, monotonic())
        self._notes.turns.append(turn)
        body = {"kind": "say", "operation_id": operation, "text": f"I go on, op:{operation}."}
        while not turn.commit:
            assert monotonic() - turn.started < TURN_SECONDS_MAX, f"{operation} does not end"
            answer = await self._send("POST", f"/turns?wait={WAIT_SECONDS}", body)
            while answer.status_code == 202:
                turn.accepted = True
                path = f"/operations/{operation}?wait={WAIT_SECONDS}"
                answer = await self._send("GET", path)
                assert answer.status_code != 404 or not turn.accepted, (
                    f"{operation} was accepted, and is lost"
                )
                assert monotonic() - turn.started < TURN_SECONDS_MAX, f"{operation} does not end"
                if answer.status_code == 202 and answer.json().get("state") == "waiting":
                    # Its node was lost before it could order the turn; sending it again does.
                    break
            if answer.status_code != 200:
                continue
            result = answer.json()
            if result["kind"] == "committed":
                turn.commit, turn.ended = result["commit"], monotonic()
            else:
                self._notes.troubles[f"{result['kind']} {result['reason']}"] += 1
                await asyncio.sleep(PAUSE_SECONDS)
        return turn

    async def be_refused(self, operation: str) -> str:
        """Send a turn that the host cannot take now; returns the reason."""
        body = {"kind": "say", "operation_id": operation, "text": f"I go on, op:{operation}."}
        result = (await self._send("POST", f"/turns?wait={WAIT_SECONDS}", body)).json()
        assert result["kind"] != "committed", result
        return str(result["reason"])

    async def knows(self, operation: str) -> bool:
        """Whether the host knows of a turn."""
        return (await self._send("GET", f"/operations/{operation}")).status_code != HTTPStatus.NOT_FOUND

    async def take_doomed(self, operation: str) -> None:
        """Take a turn of a campaign that is removed meanwhile; whatever comes of it, there is an answer."""
        body = {"kind": "say", "operation_id": operation, "text": f"I go on, op:{operation}."}
        await self._send("POST", f"/turns?wait={WAIT_SECONDS}", body)

    async def wait_gone(self, status: int) -> None:
        """Wait until the campaign cannot be reached any more."""
        started = monotonic()
        while (found := (await self._send("GET", "/view")).status_code) != status:
            assert monotonic() - started < GONE_SECONDS_MAX, f"{self.campaign} is still there: {found}"
            await asyncio.sleep(PAUSE_SECONDS)

    async def remove(self) -> None:
        """Remove the campaign."""
        await self._send("DELETE", "")

    async def read_view(self) -> dict[str, Any]:
        """The campaign as it stands."""
        view: dict[str, Any] = (await self._send("GET", "/view")).json()
        return view

    async def _send(
        self, method: str, path: str, body: dict[str, str] | None = None, top: str = ""
    ) -> httpx.Response:
        """Send a request to one node after the other, until one answers."""
        started = monotonic()
        while True:
            url = self._urls[next(self._nodes) % len(self._urls)]
            place = f"{url}{top or f'/api/campaigns/{self.campaign}'}{path}"
            assert monotonic() - started < TURN_SECONDS_MAX, f"nobody answers {method} {path}"
            try:
                answer = await self._client.request(method, place, json=body)
            except httpx.TransportError as error:
                self._notes.troubles[type(error).__name__] += 1
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            assert MODEL_KEY not in answer.text, f"{method} {path} tells the key of the model"
            if answer.status_code not in TRY_AGAIN:
                assert answer.status_code in EXPECTED, f"{method} {path}: {answer.text}"
                return answer
            self._notes.troubles[f"{answer.status_code} {answer.text[:80]}"] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _watch(self) -> None:
        texts: dict[str, str] = {}
        while True:
            with suppress(httpx.TransportError):
                async for event in self._read_news():
                    self._hear(event, texts)
            self._notes.cuts += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _read_news(self) -> AsyncIterator[dict[str, Any]]:
        """The events of one connection, from where the last one broke."""
        url = self._urls[next(self._nodes) % len(self._urls)]
        headers = {"Last-Event-ID": self._number} if self._number else {}
        parser = EventStreamParser(self._number)
        async with self._client.stream(
            "GET", f"{url}/api/campaigns/{self.campaign}/news", headers=headers
        ) as answer:
            if answer.status_code != 200:
                return
            async for data in answer.aiter_bytes():
                assert MODEL_KEY.encode() not in data, "the news tell the key of the model"
                events = parser.feed(data)
                self._number = parser.last_id
                for event in events:
                    yield json.loads(event.data)

    def _hear(self, event: dict[str, Any], texts: dict[str, str]) -> None:
        operation = event["operation_id"]
        match event["kind"]:
            case "narration.delta":
                texts[operation] = texts.get(operation, "") + event["data"]["text"]
            case "narration.reset":
                texts[operation] = event["data"]["text"]
            case "turn.committed":
                assert operation not in self.told, f"{operation} was told twice"
                self.told[operation] = texts.pop(operation, "")
            case _:
                pass

    def find_untold(self) -> list[str]:
        """Committed turns that the news did not tell, or told otherwise; none for who did not watch."""
        if self._watching is None:
            return []
        if self._watching.done():
            self._watching.result()
        return [one for one in self.taken if self.told.get(one, "").strip() != tell_story(one)]
