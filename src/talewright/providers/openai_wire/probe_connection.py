"""The probe's connection: fetches pages of a server and asks it short questions, with a stopwatch.

Every answer of a server is a value here, never an error. Nothing it says is shown to anyone or stored.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from time import monotonic
from typing import cast

import httpx

from talewright.common.frozen_values import frozen
from talewright.providers.key_redaction import read_key, silence_loggers
from talewright.providers.model_http_client import (
    ENCODING,
    EVENTS,
    LINE_BYTES_MAX,
    choose_options,
    make_httpx_client,
    read_server_address,
    send_request,
)
from talewright.providers.reply_timeouts import ProviderTimeouts

PAGE_BYTES_MAX = 1 << 20
"""Bytes read of a page."""

REPLY_BYTES_MAX = 1 << 20
"""Bytes read of a reply; a probe never asks for more than a few hundred tokens."""

WIRE_PATH = "/v1"
"""Where the OpenAI wire usually begins; a server's own pages are beside it."""

_CONNECTION_ERRORS = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError)


@frozen
class ProbePage:
    """The answer to a lookup."""

    status: int = 0
    """0 if none came."""

    server: str = ""
    """The header that names the program."""

    body: object = None
    """The parsed JSON; None if it was not JSON."""


@frozen
class ProbeReply:
    """The answer to a question."""

    status: int = 0
    """0 if none came."""

    text: str = ""
    has_thought: bool = False
    """Whether it wrote its thinking separately from its text."""

    called: tuple[str, str] | None = None
    """The name and the arguments of the first tool that was called."""

    usage: Mapping[str, object] | None = None
    timings: Mapping[str, object] | None = None
    """The times that llama.cpp measures itself."""

    told_progress: bool = False
    pieces: int = 0
    """Events with text or thoughts in them."""

    first_seconds: float | None = None
    """From the question to the first of them."""

    last_seconds: float = 0.0
    """From the question to the last of them."""

    is_whole: bool = False
    """Whether the answer ended on its own."""

    is_late: bool = False
    """Whether the time ran out first."""

    @property
    def is_refused(self) -> bool:
        """Whether the server says that it does not accept such a question."""
        return 400 <= self.status < 500 or self.status in (500, 501)

    @property
    def is_answered(self) -> bool:
        """Whether a complete answer came."""
        return self.status == HTTPStatus.OK and self.is_whole


class ProbeConnection:
    """Talks to one server."""

    def __init__(
        self,
        base_url: str,
        key: str = "",
        *,
        connect_seconds: float = 3.0,
        client: httpx.AsyncClient | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        url = read_server_address(base_url, httpx.URL, httpx.InvalidURL, "http://127.0.0.1:8080/v1")
        self._url = str(url).rstrip("/")
        self._root = self._url.removesuffix(WIRE_PATH)
        options = choose_options(url, ProviderTimeouts(connect_seconds=connect_seconds))
        self._headers = {"accept-encoding": ENCODING, "content-type": "application/json"}
        key = read_key(key)
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        self._client = client or make_httpx_client(options)
        self._clock = clock
        silence_loggers()

    async def look_up(self, path: str, seconds: float, body: object = None) -> ProbePage:
        """A page of the server, by its path beside the OpenAI wire; with a body, it is posted."""
        try:
            async with asyncio.timeout(seconds):
                return await self._look_up(path, body)
        except (TimeoutError, *_CONNECTION_ERRORS):
            return ProbePage()

    async def ask(self, question: Mapping[str, object], seconds: float) -> ProbeReply:
        """Ask for a streamed answer; when the time is up, the part that has come counts."""
        reader = _ProbeReplyReader(self._clock)
        try:
            async with asyncio.timeout(seconds):
                await self._ask(question, reader)
        except TimeoutError:
            reader.is_late = True
        except _CONNECTION_ERRORS:
            pass
        return reader.finish()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _look_up(self, path: str, body: object) -> ProbePage:
        content = None if body is None else json.dumps(body).encode()
        method, url = ("GET" if body is None else "POST"), self._root + path
        async with self._client.stream(method, url, content=content, headers=self._headers) as response:
            data = b""
            async for part in response.aiter_raw():
                data += part
                if len(data) > PAGE_BYTES_MAX:
                    return ProbePage(response.status_code)
            server = response.headers.get("server", "")
            return ProbePage(response.status_code, server, _read_json(data))

    async def _ask(self, question: Mapping[str, object], reader: "_ProbeReplyReader") -> None:
        content = json.dumps(question, ensure_ascii=False).encode()
        path = f"{self._url}/chat/completions"
        request = self._client.build_request("POST", path, content=content, headers=self._headers)
        # The server may have closed the connection kept from the previous question.
        response = await send_request(self._client, request)
        try:
            await self._read(response, reader)
        finally:
            await response.aclose()

    async def _read(self, response: httpx.Response, reader: "_ProbeReplyReader") -> None:
        reader.status = response.status_code
        streamed = response.headers.get("content-type", "").startswith(EVENTS)
        size, rest = 0, b""
        async for part in response.aiter_raw():
            size += len(part)
            rest += part
            if size > REPLY_BYTES_MAX or len(rest) > LINE_BYTES_MAX:
                return
            if streamed:
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    reader.read_line(line)
        reader.is_whole = True
        if streamed:
            reader.read_line(rest)
        elif reader.status == HTTPStatus.OK:
            reader.read_event(_read_json(rest))


class _ProbeReplyReader:
    """Gathers the events of one answer."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = clock()
        self._first: float | None = None
        self._last = 0.0
        self._pieces = 0
        self._text: list[str] = []
        self._name, self._arguments = "", ""
        self._thought = self._progress = False
        self._usage: Mapping[str, object] | None = None
        self._timings: Mapping[str, object] | None = None
        self.status = 0
        self.is_whole = self.is_late = False

    def read_line(self, line: bytes) -> None:
        """One line of a stream of events."""
        if line.startswith(b"data:"):
            self.read_event(_read_json(line[5:]))

    def read_event(self, event: object) -> None:
        """One event, or a whole answer that was not streamed."""
        fields = as_fields(event)
        if "error" in fields:
            # Some servers answer 200 and only report a refusal in the stream.
            self.status = HTTPStatus.BAD_REQUEST
        self._usage = _fields_or(fields.get("usage"), self._usage)
        self._timings = _fields_or(fields.get("timings"), self._timings)
        self._progress = self._progress or bool(as_fields(fields.get("prompt_progress")))
        choices = fields.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            parts = as_fields(choice)
            self._read_delta(as_fields(parts.get("delta")) or as_fields(parts.get("message")))

    def finish(self) -> ProbeReply:
        """The answer read so far."""
        return ProbeReply(
            self.status,
            "".join(self._text),
            self._thought,
            (self._name, self._arguments) if self._name else None,
            self._usage,
            self._timings,
            self._progress,
            self._pieces,
            self._first,
            self._last,
            self.is_whole,
            self.is_late,
        )

    def _read_delta(self, delta: Mapping[str, object]) -> None:
        text = delta.get("content")
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(text, str):
            self._text.append(text)
        self._thought = self._thought or bool(thought)
        if text or thought:
            self._last = self._clock() - self._start
            self._first = self._last if self._first is None else self._first
            self._pieces += 1
        calls = delta.get("tool_calls")
        for call in calls[:1] if isinstance(calls, list) else ():
            function = as_fields(as_fields(call).get("function"))
            self._name = self._name or str(function.get("name") or "")
            self._arguments += str(function.get("arguments") or "")


def as_fields(value: object) -> Mapping[str, object]:
    """A JSON object; empty if it is something else."""
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _fields_or(value: object, otherwise: Mapping[str, object] | None) -> Mapping[str, object] | None:
    return cast(Mapping[str, object], value) if isinstance(value, dict) and value else otherwise


def _read_json(data: bytes) -> object:
    try:
        return cast(object, json.loads(data))
    except (ValueError, RecursionError):
        return None
