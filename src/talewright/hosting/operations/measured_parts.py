"""Measured parts: wrappers around models, workers and an API that report to the metrics of a process.

Each takes one line to add, and does not change what its part does.
"""

import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from dataclasses import replace
from http import HTTPStatus
from time import perf_counter
from typing import Any, TypeAlias

from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.host_metrics import ANSWERED, BROKEN_OFF, HostMetrics
from talewright.hosting.operations.json_logs import log_event
from talewright.hosting.operations.turn_observer import TurnObserver
from talewright.llm.cost_meter import Metered
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.turn.turn_context import Teller

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

EVENT_STREAM = b"text/event-stream"

MCP_PATH = "/mcp"
PAGE, API, WAITING, STREAM = "page", "api", "wait", "stream"
"""The kinds of requests; those that wait for the end of a turn take as long as its model."""

CLOSED_STATUS = 499
"""The status of a request whose client left before the answer began."""

BODY_BYTES_MAX = 16_384
"""How much of a request, and of a refusal, is kept to find the operation and the code in it."""

_LOG = logging.getLogger(__name__)


class MeasuredProvider:
    """A provider that counts requests, tokens and dollars."""

    def __init__(self, provider: Provider, metrics: HostMetrics) -> None:
        self._provider = Metered(provider, metrics.spent)
        self._metrics = metrics

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and count."""
        result = BROKEN_OFF
        try:
            async with aclosing(self._provider.stream(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
            result = ANSWERED
        except ProviderError as error:
            result = error.trouble.value
            raise
        finally:
            self._metrics.ask_ended(result)

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()


def measure_teller(teller: Teller | None, metrics: HostMetrics) -> Teller | None:
    """The same models, counted. Reading ahead does not count as a request, but its cost does."""
    if teller is None:
        return None
    cheap = None if teller.cheap is None else MeasuredProvider(teller.cheap, metrics)
    return replace(teller, main=MeasuredProvider(teller.main, metrics), cheap=cheap)


def measure_worker(parts: WorkerParts, metrics: HostMetrics) -> WorkerParts:
    """The same parts of a worker, measured."""
    hire = parts.hire
    return replace(
        parts,
        hire=lambda owner, game, book: measure_teller(hire(owner, game, book), metrics),
        observer=metrics,
    )


class MeasuredApi:
    """An ASGI application that measures its requests, counts open streams, and logs what it refuses."""

    def __init__(
        self, app: AsgiApp, observer: TurnObserver, owner_of: Callable[[Message], str] = lambda scope: ""
    ) -> None:
        """`owner_of` finds the id of the owner whose request it was; empty if there is none."""
        self._app = app
        self._observer = observer
        self._owner_of = owner_of

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange, observer = HttpExchange(scope), self._observer

        async def hear() -> Message:
            message = await receive()
            exchange.hear(message)
            return message

        async def watch(message: Message) -> None:
            exchange.answer(message)
            if message["type"] == "http.response.start" and exchange.is_stream:
                observer.stream_opened()
                observer.request_ended(*exchange.measure())
            await send(message)

        try:
            await self._app(scope, hear, watch)
        finally:
            if exchange.is_stream:
                observer.stream_closed()
            else:
                observer.request_ended(*exchange.measure())
            if exchange.is_refused:
                self._log_refusal(scope, exchange)

    def _log_refusal(self, scope: Message, exchange: "HttpExchange") -> None:
        owner = self._owner_of(scope)
        named = {"owner": owner} if owner else {}
        # Whoever has no token could fill the log with operations.
        if owner and exchange.operation:
            named["operation"] = exchange.operation
        level = logging.WARNING if exchange.status >= HTTPStatus.INTERNAL_SERVER_ERROR else logging.INFO
        log_event(_LOG, "request_refused", level, status=exchange.status, code=exchange.code, **named)


class HttpExchange:
    """A request and its answer, as far as they are measured and logged."""

    def __init__(self, scope: Message) -> None:
        self.status = CLOSED_STATUS
        self.is_stream = False
        self._begun = perf_counter()
        self._scope = scope
        self._asked = b""
        self._answered = b""

    def hear(self, message: Message) -> None:
        """Keep the start of a request."""
        if len(self._asked) < BODY_BYTES_MAX:
            self._asked += message.get("body", b"")

    def answer(self, message: Message) -> None:
        """Note the status of the answer, and keep the start of one that refuses."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.is_stream = _is_stream(message)
        elif self.is_refused and len(self._answered) < BODY_BYTES_MAX:
            self._answered += message.get("body", b"")

    def measure(self) -> tuple[str, str, int, float]:
        """The kind, method, status and seconds of the request."""
        return self._kind, self._scope["method"], self.status, perf_counter() - self._begun

    @property
    def is_refused(self) -> bool:
        """Whether the answer is a refusal or an error."""
        return self.status >= HTTPStatus.BAD_REQUEST and self.status != CLOSED_STATUS

    @property
    def code(self) -> str:
        """The code of the problem in the answer; empty if it has none."""
        return _read_member(self._answered, "code")

    @property
    def operation(self) -> str:
        """The id of the operation that was asked for; empty if none was."""
        return _read_member(self._asked, "operation_id")

    @property
    def _kind(self) -> str:
        if self.is_stream:
            return STREAM
        path = self._scope.get("path", "")
        # A call of an assistant who plays waits for the turn.
        if b"wait=" in self._scope.get("query_string", b"") or path == MCP_PATH:
            return WAITING
        return API if path.startswith("/api/") else PAGE


def _read_member(body: bytes, name: str) -> str:
    """A text in a JSON object; empty if there is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _is_stream(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(EVENT_STREAM)
        for name, value in message.get("headers", ())
    )
