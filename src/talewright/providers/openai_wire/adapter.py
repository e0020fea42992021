"""The adapter: one OpenAI-compatible endpoint as a Provider, over httpx.

It does not retry, meter or choose: wrappers do. The key goes into one header and nowhere else.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import NamedTuple, cast

import httpx

from talewright.llm.chunks import Chunk
from talewright.llm.errors import ProviderError, Trouble
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.providers.discretion import hush
from talewright.providers.openai_wire.sending import send
from talewright.providers.openai_wire.stream import Listener
from talewright.providers.openai_wire.troubles import Reporter, is_near, unusable_proxy
from talewright.providers.openai_wire.wire import write_request

BODY_BYTES_MAX = 1 << 22
"""Bytes of an answer in one piece: a whole reply, or a list of models."""

REFUSAL_BYTES_MAX = 1 << 16
"""Bytes of a refusal that are read."""

MODELS_MAX = 5_000
"""Models that are listed of one server."""

KEEP_SECONDS = 120.0
"""How long an idle connection is kept: a player thinks, and the next turn need not shake hands again."""

CONNECTIONS_MAX = 100
"""Connections to one server at once."""

PORT_MAX = 65_535
EVENTS = "text/event-stream"
_HOST = re.compile(rb"[A-Za-z0-9._:-]+")
CONNECTION_ERRORS = (TimeoutError, httpx.HTTPError, httpx.StreamError)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long is waited for what, in seconds."""

    connect_seconds: float = 10.0
    first_token_seconds: float = 45.0
    """From the question to the first piece of text, thinking or a call. A server that hangs is asked again
    afterwards, and that answer must still fit into the turn."""

    between_chunks_seconds: float = 30.0
    """From one such piece to the next; a server that only says that it lives brings none."""

    total_seconds: float = 110.0
    """From the question to the end of the answer."""

    farewell_seconds: float = 0.2
    """After the end of the answer, until the server has finished its sending: then the connection is kept."""

    list_seconds: float = 10.0
    """For the list of models."""

    costs_seconds: float = 5.0
    """After the last word of an answer, until the server has said what it cost or that this is all."""


class Limit(NamedTuple):
    """When waiting ends, and how that is told."""

    at: float
    seconds: float
    what: str


class OpenAICompatible:
    """A model behind an endpoint that speaks chat completions."""

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str = "",
        *,
        profile: Profile,
        timeouts: Timeouts = Timeouts(),  # noqa: B008 - a frozen value
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self._model = model
        self._url, self._host = _read_address(base_url)
        self._headers = _write_headers(key.strip())
        self._profile = profile
        self._timeouts = timeouts
        self._reporter = Reporter(self._host, model, key.strip())
        self._client = client
        self._owns_client = client is None
        if client is not None:
            hush()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, {self._host!r})"

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and give the answer as it comes."""
        times, clock = self._timeouts, asyncio.get_running_loop().time
        listener = Listener(self._profile, self._reporter)
        body = write_request(self._model, request, self._profile)
        end = Limit(clock() + times.total_seconds, times.total_seconds, "the answer did not end")
        first = times.first_token_seconds
        limit = min(Limit(clock() + first, first, "no answer began"), end)
        async with self._open("POST", "/chat/completions", body, limit) as response:
            if not response.headers.get("content-type", "").startswith(EVENTS):
                for chunk in self._read_whole(response, await self._gather(response, end), listener):
                    yield chunk
                return
            async with aclosing(_read_bytes(response)) as data:
                progress, pause, said_all = 0, times.between_chunks_seconds, False
                while not listener.ended and (part := await self._read(data, limit, listener)):
                    for chunk in listener.feed(part):
                        yield chunk
                    if listener.complete and not said_all:
                        said_all, costs = True, times.costs_seconds
                        limit = min(Limit(clock() + costs, costs, end.what), end)
                    elif listener.progress != progress:
                        progress = listener.progress
                        limit = min(Limit(clock() + pause, pause, "the answer did not go on"), end)
                last = listener.finish()
                await self._take_leave(data)
        for chunk in last:
            yield chunk

    async def list_models(self) -> tuple[str, ...]:
        """The names of the models that the endpoint offers, in the order of the alphabet."""
        seconds = self._timeouts.list_seconds
        limit = Limit(asyncio.get_running_loop().time() + seconds, seconds, "no list of models came")
        async with self._open("GET", "/models", b"", limit) as response:
            body = await self._gather(response, limit)
        try:
            rows = json.loads(body)["data"]
            names = sorted({row["id"] for row in rows if isinstance(row["id"], str)})
        except (ValueError, RecursionError, KeyError, TypeError):
            raise self._reporter.garbled("no list of models") from None
        return tuple(names[:MODELS_MAX])

    async def close(self) -> None:
        """Let go of the connections; a client that was handed in is left to whoever made it."""
        client = self._client
        if client is not None and self._owns_client:
            self._client = None
            await client.aclose()

    @asynccontextmanager
    async def _open(self, method: str, path: str, body: bytes, limit: Limit) -> AsyncIterator[httpx.Response]:
        """A response whose status is good. Leaving it closes what has not been read to its end."""
        client = self._client
        if client is None:
            client = self._client = _make_client(self._url, self._host, self._timeouts)
            hush()
        request = client.build_request(method, self._url + path, content=body or None, headers=self._headers)
        try:
            async with asyncio.timeout_at(limit.at):
                response = await send(client, request)
        except CONNECTION_ERRORS as error:
            raise self._translate(error, limit) from None
        try:
            if response.status_code != HTTPStatus.OK:
                refusal = await self._gather(response, limit, REFUSAL_BYTES_MAX)
                raise self._reporter.read_status(response.status_code, response.headers, refusal)
            if response.headers.get("content-encoding", "identity") != "identity":
                raise self._reporter.garbled("an encoding that was not asked for")
            yield response
        finally:
            await response.aclose()

    async def _read(self, data: AsyncIterator[bytes], limit: Limit, listener: Listener | None) -> bytes:
        """The next bytes; none at the end."""
        try:
            async with asyncio.timeout_at(limit.at):
                return await anext(data, b"")
        except CONNECTION_ERRORS as error:
            # An answer that is whole is not thrown away for a farewell that failed.
            if listener is not None and listener.complete:
                return b""
            raise self._translate(error, limit, listener) from None

    async def _gather(self, response: httpx.Response, limit: Limit, size_max: int = BODY_BYTES_MAX) -> bytes:
        """A whole body. Of a refusal its beginning is enough; any other must not be too long."""
        parts, size = [], 0
        async with aclosing(_read_bytes(response)) as data:
            while size < size_max and (part := await self._read(data, limit, None)):
                parts.append(part)
                size += len(part)
        if size >= size_max == BODY_BYTES_MAX:
            raise self._reporter.garbled("far too much")
        return b"".join(parts)[:size_max]

    def _read_whole(self, response: httpx.Response, body: bytes, listener: Listener) -> list[Chunk]:
        """The chunks of an answer in one piece, where a server does not stream."""
        kind = response.headers.get("content-type", "")
        if not body.strip():
            raise self._reporter.garbled("an empty answer")
        if "json" not in kind:
            raise self._reporter.garbled(f"{self._reporter.quote(kind) or 'no type'} instead of events")
        return listener.take_whole(body)

    async def _take_leave(self, data: AsyncIterator[bytes]) -> None:
        """Read the end of a body that has said all: only then can its connection be used again."""
        with suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(self._timeouts.farewell_seconds):
                # One read is enough where the server ends; one that goes on is left.
                await anext(data, b"")

    def _translate(
        self,
        error: TimeoutError | httpx.HTTPError | httpx.StreamError,
        limit: Limit,
        listener: Listener | None = None,
    ) -> ProviderError:
        """An error of the connection as an error of a provider."""
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
    # It is a generator, though its type does not say so, and wants to be closed like one.
    return cast(AsyncGenerator[bytes, None], response.aiter_raw())


def _make_client(url: str, host: str, times: Timeouts) -> httpx.AsyncClient:
    try:
        return httpx.AsyncClient(
            http2=False,
            follow_redirects=False,
            # Reading the certificates of the world takes longer than asking a server on this machine, which
            # shows none; and no redirect can lead from there to one that does.
            verify=url.startswith("https:"),
            # A proxy of the environment is for the world outside, not for a server on this machine.
            trust_env=not is_near(host),
            # All waiting but that for a connection is measured by the adapter, which knows what it waits for.
            timeout=httpx.Timeout(None, connect=times.connect_seconds, pool=times.connect_seconds),
            limits=httpx.Limits(max_connections=CONNECTIONS_MAX, keepalive_expiry=KEEP_SECONDS),
            # What a server wants remembered about one player must not come back with another's question.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )
    except (ImportError, ValueError, httpx.InvalidURL):
        raise unusable_proxy() from None


def _read_address(base_url: str) -> tuple[str, str]:
    """The address without its last slash, and its host for messages. Nothing secret may stand in it."""
    try:
        url = httpx.URL(base_url.strip().rstrip("/"))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        url = httpx.URL("")
    plain = not (url.userinfo or url.query or url.fragment)
    sound = _HOST.fullmatch(url.raw_host) and (url.port is None or 0 < url.port <= PORT_MAX)
    if url.scheme not in ("http", "https") or not plain or not sound:
        raise ProviderError(
            Trouble.REQUEST,
            "the address of the model server cannot be used",
            "Write it like https://api.example.com/v1, with no name, key or question mark in it.",
            unpaid=True,
        )
    return str(url), url.netloc.decode("ascii")


def _write_headers(key: str) -> dict[str, str]:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ProviderError(
            Trouble.KEY,
            "the key has characters that no key has",
            "Copy it again; a blank or a line of text may have come with it.",
            unpaid=True,
        )
    headers = {"accept": f"{EVENTS}, application/json", "accept-encoding": "identity"}
    headers |= {"content-type": "application/json"}
    return headers | ({"authorization": f"Bearer {key}"} if key else {})
