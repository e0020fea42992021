"""A server of raw bytes: whatever is asked, it answers what it was given, piece by piece, on loopback.

It knows HTTP only as far as to find the end of a request.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.reply_timeouts import ProviderTimeouts

EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
PATIENT = ProviderTimeouts(9.0, 9.0, 9.0, 9.0, 0.1, 9.0)
"""Limits that no test reaches by waiting; a test of a limit makes that one short."""

STEPS = 10


@dataclass(frozen=True)
class Answer:
    """Bytes in pieces, and what happens after them."""

    pieces: Sequence[bytes]
    hangs: bool = False
    """Whether the connection stays open and silent instead of being closed."""


@dataclass
class RawServer:
    """What was asked, and where."""

    url: str = ""
    heads: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    connections: int = 0


@asynccontextmanager
async def serve_raw(*answers: Answer | bytes) -> AsyncIterator[RawServer]:
    """A server that gives one answer after the other."""
    served = RawServer()
    left = list(answers)
    tasks: set[asyncio.Task[None]] = set()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        served.connections += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            size = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
            )
            served.heads.append(head)
            served.bodies.append(await reader.readexactly(size))
            given = left.pop(0)
            answer = Answer([given]) if isinstance(given, bytes) else given
            for piece in answer.pieces:
                writer.write(piece)
                await writer.drain()
            if answer.hangs:
                await asyncio.Event().wait()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield served
    finally:
        server.close()
        # A connection that was accepted just now gets its task only some steps of the loop later.
        for _ in range(STEPS):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def event(delta: object = None, finish: str | None = None, **more: object) -> bytes:
    """One event of a stream; what stands in `more` stands beside its choices."""
    body: dict[str, Any] = {"id": "x", "choices": []}
    if delta is not None or finish is not None:
        body["choices"] = [{"index": 0, "delta": delta or {}, "finish_reason": finish}]
    text = json.dumps(body | more, ensure_ascii=False)
    # Halves of characters can only be written as escapes.
    halved = any("\ud800" <= letter <= "\udfff" for letter in text)
    return b"data: " + (json.dumps(body | more) if halved else text).encode() + b"\n\n"


def reply(status: str, body: bytes, *headers: str) -> bytes:
    """A whole response with a body."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


DONE = b"data: [DONE]\n\n"


def make(
    url: str, key: str = "", profile: Profile | None = None, timeouts: ProviderTimeouts = PATIENT
) -> OpenAICompatible:
    return OpenAICompatible(
        "tale-1", url, key, profile=profile or Profile("tale-1", wire="openai"), timeouts=timeouts
    )


async def hear(provider: OpenAICompatible, request: Request) -> list[Any]:
    """Everything an ask gives; the provider is closed afterwards."""
    try:
        return [chunk async for chunk in provider.stream(request)]
    finally:
        await provider.close()
