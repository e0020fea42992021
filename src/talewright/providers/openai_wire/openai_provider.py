"""The OpenAI provider: one OpenAI-compatible endpoint as a Provider, and its list of models.

It does not retry, meter or choose: wrappers do. The key goes into one header and nowhere else.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from http import HTTPStatus
from typing import cast

import httpx

from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.key_redaction import read_key, silence_loggers
from talewright.providers.model_http_client import (
    BODY_BYTES_MAX,
    ENCODING,
    EVENTS,
    REFUSAL_BYTES_MAX,
    choose_options,
    make_httpx_client,
    name_host,
    read_server_address,
    send_request,
)
from talewright.providers.openai_wire.reply_stream import ReplyStreamReader
from talewright.providers.openai_wire.request_body import write_request
from talewright.providers.outgoing_addresses import OutgoingAddresses
from talewright.providers.reply_timeouts import ProviderTimeouts, ReplyDeadline

MODELS_MAX = 5_000
"""Models listed for one server."""
CONNECTION_ERRORS = (TimeoutError, httpx.HTTPError, httpx.StreamError)


class OpenAICompatible:
    """A model at an endpoint with a chat completions API."""

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str = "",
        *,
        profile: Profile,
        timeouts: ProviderTimeouts = ProviderTimeouts(),  # noqa: B008 - a frozen value
        client: httpx.AsyncClient | None = None,
        outgoing: OutgoingAddresses | None = None,
    ) -> None:
        self._model = model
        url = read_server_address(base_url, httpx.URL, httpx.InvalidURL, "https://api.example.com/v1")
        key = read_key(key)
        self._url, self._host = str(url), name_host(url)
        self._options = choose_options(url, timeouts, outgoing)
        self._headers = _write_headers(key)
        self._profile = profile
        self._timeouts = timeouts
        self._reporter = ProviderErrorReporter(self._host, model, key)
        self._client = client
        self._owns_client = client is None
        if client is not None:
            silence_loggers()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, {self._host!r})"

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and yield the answer as it arrives."""
        times, clock = self._timeouts, asyncio.get_running_loop().time
        listener = ReplyStreamReader(self._profile, self._reporter)
        body = write_request(self._model, request, self._profile)
        end = ReplyDeadline(clock() + times.total_seconds, times.total_seconds, "the answer did not end")
        first = times.first_token_seconds
        limit = min(ReplyDeadline(clock() + first, first, "no answer began"), end)
        async with self._open("POST", "/chat/completions", body, limit) as response:
            if not response.headers.get("content-type", "").startswith(EVENTS):
                for chunk in self._read_whole(response, await self._gather(response, end), listener):
                    yield chunk
                return
            async with aclosing(_read_bytes(response)) as data:
                progress, reading, pause, said_all = 0, 0, times.between_chunks_seconds, False
                while not listener.ended and (part := await self._read(data, limit, listener)):
                    for chunk in listener.feed(part):
                        yield chunk
                    if listener.complete and not said_all:
                        said_all, costs = True, times.costs_seconds
                        limit = min(ReplyDeadline(clock() + costs, costs, end.what), end)
                    elif listener.progress != progress:
                        progress = listener.progress
                        limit = min(ReplyDeadline(clock() + pause, pause, "the answer did not go on"), end)
                    elif listener.reading != reading:
                        # It is slow, but not stuck.
                        reading = listener.reading
                        limit = min(ReplyDeadline(clock() + first, first, "no answer began"), end)
                last = listener.finish()
                await self._take_leave(data)
        for chunk in last:
            yield chunk

    async def list_models(self) -> tuple[str, ...]:
        """The names of the models that the endpoint offers, sorted alphabetically."""
        seconds = self._timeouts.list_seconds
        limit = ReplyDeadline(asyncio.get_running_loop().time() + seconds, seconds, "no list of models came")
        async with self._open("GET", "/models", b"", limit) as response:
            body = await self._gather(response, limit)
        try:
            rows = json.loads(body)["data"]
            names = sorted({row["id"] for row in rows if isinstance(row["id"], str)})
        except (ValueError, RecursionError, KeyError, TypeError):
            raise self._reporter.garbled("no list of models") from None
        return tuple(names[:MODELS_MAX])

    async def close(self) -> None:
        """Close the connections; a client that was passed in is left to its owner."""
        client = self._client
        if client is not None and self._owns_client:
            self._client = None
            await client.aclose()

    @asynccontextmanager
    async def _open(
        self, method: str, path: str, body: bytes, limit: ReplyDeadline
    ) -> AsyncIterator[httpx.Response]:
        """A response with a success status. Leaving the context closes what has not been read."""
        client = self._client
        if client is None:
            client = self._client = make_httpx_client(self._options)
            silence_loggers()
        request = client.build_request(method, self._url + path, content=body or None, headers=self._headers)
        try:
            async with asyncio.timeout_at(limit.at):
                response = await send_request(client, request)
        except CONNECTION_ERRORS as error:
            raise self._translate(error, limit) from None
        try:
            if response.status_code != HTTPStatus.OK:
                refusal = await self._gather(response, limit, REFUSAL_BYTES_MAX)
                raise self._reporter.read_status(response.status_code, response.headers, refusal)
            if response.headers.get("content-encoding", ENCODING) != ENCODING:
                raise self._reporter.garbled("an encoding that was not asked for")
            yield response
        finally:
            await response.aclose()

    async def _read(
        self, data: AsyncIterator[bytes], limit: ReplyDeadline, listener: ReplyStreamReader | None
    ) -> bytes:
        """The next bytes; empty at the end."""
        try:
            async with asyncio.timeout_at(limit.at):
                return await anext(data, b"")
        except CONNECTION_ERRORS as error:
            # A complete answer is not discarded because closing the stream failed.
            if listener is not None and listener.complete:
                return b""
            raise self._translate(error, limit, listener) from None

    async def _gather(
        self, response: httpx.Response, limit: ReplyDeadline, size_max: int = BODY_BYTES_MAX
    ) -> bytes:
        """A whole body. For an error response the beginning is enough; any other must not be too long."""
        parts, size = [], 0
        async with aclosing(_read_bytes(response)) as data:
            while size < size_max and (part := await self._read(data, limit, None)):
                parts.append(part)
                size += len(part)
        if size >= size_max == BODY_BYTES_MAX:
            raise self._reporter.garbled("far too much")
        return b"".join(parts)[:size_max]

    def _read_whole(self, response: httpx.Response, body: bytes, listener: ReplyStreamReader) -> list[Chunk]:
        """The chunks of an unstreamed answer."""
        kind = response.headers.get("content-type", "")
        if not body.strip():
            raise self._reporter.garbled("an empty answer")
        if "json" not in kind:
            raise self._reporter.garbled(f"{self._reporter.quote(kind) or 'no type'} instead of events")
        return listener.take_whole(body)

    async def _take_leave(self, data: AsyncIterator[bytes]) -> None:
        """Read the end of a complete body: only then can its connection be reused."""
        with suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(self._timeouts.farewell_seconds):
                # One read is enough if the server ends; otherwise the connection is closed.
                await anext(data, b"")

    def _translate(
        self,
        error: TimeoutError | httpx.HTTPError | httpx.StreamError,
        limit: ReplyDeadline,
        listener: ReplyStreamReader | None = None,
    ) -> ProviderError:
        """Convert a connection error to a ProviderError."""
        report, seconds = self._reporter, self._timeouts.connect_seconds
        usage = listener.usage if listener else None
        match error:
            case TimeoutError():
                return report.slow(limit.what, limit.seconds, usage=usage)
            case httpx.ConnectTimeout() | httpx.PoolTimeout():
                return report.slow("no connection", seconds, unpaid=True)
            case httpx.ConnectError():
                return report.unreachable(str(error), unpaid=True)
            case _ if listener is not None and listener.progress:
                return report.broken_off(usage)
            case _:
                return report.unreachable(str(error), unpaid=False)


def _read_bytes(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    # It is a generator, though its type does not say so, and must be closed like one.
    return cast(AsyncGenerator[bytes, None], response.aiter_raw())


def _write_headers(key: str) -> dict[str, str]:
    headers = {"accept": f"{EVENTS}, application/json", "accept-encoding": ENCODING}
    headers |= {"content-type": "application/json"}
    return headers | ({"authorization": f"Bearer {key}"} if key else {})
