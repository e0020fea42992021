"""Measured parts: wrappers around models, workers and an API that report to the metrics of a process.

Each takes one line to add, and does not change what its part does.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeAlias

from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.host_metrics import ANSWERED, BROKEN_OFF, HostMetrics
from talewright.hosting.operations.turn_observer import MEASURED_REFUSALS, TurnObserver
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
    """An ASGI application that counts open event streams and refused requests."""

    def __init__(self, app: AsgiApp, observer: TurnObserver) -> None:
        self._app = app
        self._observer = observer

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_open = False

        async def watch(message: Message) -> None:
            nonlocal is_open
            if message["type"] == "http.response.start" and message["status"] in MEASURED_REFUSALS:
                self._observer.request_refused(message["status"])
            if message["type"] == "http.response.start" and not is_open and _is_stream(message):
                is_open = True
                self._observer.stream_opened()
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            if is_open:
                self._observer.stream_closed()


def _is_stream(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(EVENT_STREAM)
        for name, value in message.get("headers", ())
    )
