"""A model server for chaos runs: streams a story over HTTP, and counts who asked for what.

The story of a turn names its operation, so that a player can tell whether it got the right text, once and
whole.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic

HOST = "127.0.0.1"
PIECES = 12
PIECE_SECONDS = 0.02
"""A turn takes a quarter of a second, so that kills hit it in the midst of its text."""

OPENING = "opening"
"""Asked for by every campaign, before its first turn."""

_OPERATION = re.compile(r"op:([0-9a-z_-]+)")


def tell_story(operation: str) -> str:
    """The text of a turn."""
    return f"This is told for {operation} alone. " + " ".join(f"word{number}" for number in range(20))


def _answer(operation: str) -> str:
    return json.dumps(
        {
            "narrative_markdown": tell_story(operation),
            "choices": [
                {"id": name, "label": name, "hint": "h", "risk": "low", "tags": []}
                for name in ("look", "wait", "leave")
            ],
            "state_updates": [{"op": "inc", "path": "turns", "value": 1, "reason": "a turn"}],
            "new_facts": [],
            "events": [],
            "end": {"is_game_over": False, "ending_id": "", "reason": ""},
        }
    )


@dataclass
class ChaosProvider:
    """The server."""

    port: int = 0
    pieces: int = PIECES
    piece_seconds: float = PIECE_SECONDS
    asks: dict[str, list[float]] = field(default_factory=dict)
    """When each operation was asked for."""

    keys: set[str] = field(default_factory=set)
    """The API keys that were sent."""

    cuts: dict[str, list[float]] = field(default_factory=dict)
    """When somebody who asked for an operation was gone before the end of the answer."""

    needed: int = 0
    """No turn is answered until so many have been asked for; zero answers each at once."""

    _gathered: asyncio.Event = field(default_factory=asyncio.Event)
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{HOST}:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                while await self._answer_one(reader, writer):
                    pass
        finally:
            self._serving.discard(task)
            writer.transport.abort()

    def forget(self, operation: str) -> None:
        """Count an operation from the beginning, because its host was put back to a time before it."""
        self.asks.pop(operation, None)
        self.cuts.pop(operation, None)

    async def close(self) -> None:
        """Hang up on everybody."""
        serving = tuple(self._serving)
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        # Aborted connections are closed a moment later.
        await asyncio.sleep(0.01)

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)content-length: *(\d+)", head)
        body = (await reader.readexactly(int(length[1]))).decode() if length else ""
        if not head.startswith("POST") or "/chat/completions" not in head:
            writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            return True
        key = re.search(r"(?i)authorization: bearer (\S+)", head)
        self.keys.add(key[1] if key else "")
        found = _OPERATION.findall(body)
        operation = found[-1] if found else OPENING
        self.asks.setdefault(operation, []).append(monotonic())
        if operation != OPENING and self.needed:
            if len(self.asks.keys() - {OPENING}) >= self.needed:
                self._gathered.set()
            await self._gathered.wait()
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        try:
            pause = PIECE_SECONDS if operation == OPENING else self.piece_seconds
            await _stream(writer, _answer(operation), self.pieces, pause)
        except OSError:
            self.cuts.setdefault(operation, []).append(monotonic())
            raise
        return True


async def _stream(writer: asyncio.StreamWriter, text: str, pieces: int, pause: float) -> None:
    size = -(-len(text) // pieces)
    for start in range(0, len(text), size):
        _write_event(writer, {"content": text[start : start + size]})
        await writer.drain()
        await asyncio.sleep(pause)
    _write_event(writer, {}, "stop")
    _write_chunk(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _write_event(writer: asyncio.StreamWriter, delta: dict[str, str], finish: str | None = None) -> None:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    event = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    if finish:
        event["usage"] = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    _write_chunk(writer, b"data: " + json.dumps(event).encode() + b"\n\n")


def _write_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))


@asynccontextmanager
async def serve_provider() -> AsyncIterator[ChaosProvider]:
    """A running server."""
    provider = ChaosProvider()
    server = await asyncio.start_server(provider.serve, HOST, 0, limit=2**22)
    provider.port = server.sockets[0].getsockname()[1]
    try:
        yield provider
    finally:
        server.close()
        await provider.close()
