"""A raw client of the fake servers: bytes over asyncio streams, so that nothing is hidden by a library.

It mends nothing: what comes back is what was sent, chunk by chunk.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.fake_server import FakeServer
from talewright_testkit.fake_provider.reply_script import FakeAnswer
from talewright_testkit.fake_provider.request_ledger import ExchangeEnding, RequestLedgerEntry
from talewright_testkit.fake_provider.wires.wire_form import Wire

TURNS_MAX = 20_000
"""Turns of the event loop that a test waits for something to be written down."""

TALE = FakeAnswer("Rain falls on the harbour.", (ToolCall("", "roll", '{"sides": 20}'),))
"""An answer with text and a call."""

SCHEMA = {"type": "object", "properties": {"sides": {"type": "integer"}}, "required": ["sides"]}


@dataclass(slots=True)
class Response:
    """What came back."""

    status: int
    headers: dict[str, str]
    chunks: list[bytes] = field(default_factory=list)
    ending: str = "whole"
    """`whole`, or `reset` or `closed` where it broke off."""

    @property
    def body(self) -> bytes:
        """All of it."""
        return b"".join(self.chunks)

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The data of the events as JSON, but for the closing word."""
        lines = self.body.decode().replace("\r\n", "\n").split("\n")
        found = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        return [json.loads(text) for text in found if text != "[DONE]"]


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def say(self, method: str, path: str, headers: Mapping[str, str], body: object = None) -> None:
        """Send a request."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        rows = {"host": "fake", "content-length": str(len(data)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in rows.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data)

    async def head(self) -> Response:
        """Status and headers."""
        first, *rows = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        headers = dict(row.split(": ", 1) for row in rows)
        return Response(int(first.split(" ")[1]), headers)

    async def chunk(self) -> bytes:
        """The next chunk; empty at the end."""
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        return (await self.reader.readexactly(size + 2))[:-2]

    async def hear(self) -> Response:
        """A whole answer, or as much of it as came."""
        response = Response(0, {})
        try:
            response = await self.head()
            await self.follow(response)
        except ConnectionResetError:
            response.ending = "reset"
        except asyncio.IncompleteReadError:
            response.ending = "closed"
        return response

    async def follow(self, response: Response) -> None:
        """What comes after the head, as long as anything comes."""
        if "content-length" in response.headers:
            response.chunks.append(await self.reader.readexactly(int(response.headers["content-length"])))
            return
        while chunk := await self.chunk():
            response.chunks.append(chunk)

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


@asynccontextmanager
async def connected(server: FakeServer) -> AsyncIterator[Line]:
    """A connection to the server."""
    line = Line(*await asyncio.open_connection("127.0.0.1", server.port))
    try:
        yield line
    finally:
        await line.close()


def address(wire: Wire, key: str, stream: bool = True) -> tuple[str, dict[str, str]]:
    """Where an ask goes, and with which headers."""
    match wire:
        case Wire.OPENAI:
            return "/v1/chat/completions", {"authorization": f"Bearer {key}"}
        case Wire.ANTHROPIC:
            return "/v1/messages", {"x-api-key": key, "anthropic-version": "2023-06-01"}
        case Wire.GEMINI:
            act = "streamGenerateContent?alt=sse" if stream else "generateContent"
            return f"/v1beta/models/m:{act}", {"x-goog-api-key": key}


def ask(wire: Wire, *texts: str, stream: bool = True, tools: bool = True) -> dict[str, Any]:
    """A body: texts by turns of user and model, the first one being the rules."""
    system, *said = texts or ("Tell.", "Go on.")
    match wire:
        case Wire.OPENAI:
            roles = [("assistant" if at % 2 else "user", text) for at, text in enumerate(said)]
            messages = [{"role": role, "content": text} for role, text in [("system", system), *roles]]
            body: dict[str, Any] = {"model": "m", "messages": messages, "stream": stream}
            function = {"name": "roll", "description": "Roll.", "parameters": SCHEMA}
            more: dict[str, Any] = {"tools": [{"type": "function", "function": function}]}
            if stream:
                body["stream_options"] = {"include_usage": True}
        case Wire.ANTHROPIC:
            messages = [
                {"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(said)
            ]
            body = {
                "model": "m",
                "max_tokens": 4_000,
                "system": system,
                "messages": messages,
                "stream": stream,
            }
            more = {"tools": [{"name": "roll", "description": "Roll.", "input_schema": SCHEMA}]}
        case Wire.GEMINI:
            contents = [
                {"role": "model" if at % 2 else "user", "parts": [{"text": text}]}
                for at, text in enumerate(said)
            ]
            body = {"systemInstruction": {"parts": [{"text": system}]}, "contents": contents}
            more = {"tools": [{"functionDeclarations": [{"name": "roll", "parameters": SCHEMA}]}]}
    return {**body, **more} if tools else body


async def exchange(server: FakeServer, wire: Wire, body: object = None, *, stream: bool = True) -> Response:
    """One ask on a connection of its own."""
    path, headers = address(wire, server.key, stream)
    async with connected(server) as line:
        line.say("POST", path, headers, ask(wire, stream=stream) if body is None else body)
        return await line.hear()


async def ended(server: FakeServer, at: int = 0) -> RequestLedgerEntry:
    """The entry, once it has ended."""
    for _ in range(TURNS_MAX):
        if server.ledger.entries[at].ending is not ExchangeEnding.OPEN:
            return server.ledger.entries[at]
        await asyncio.sleep(0)
    raise AssertionError("the exchange has not ended")
