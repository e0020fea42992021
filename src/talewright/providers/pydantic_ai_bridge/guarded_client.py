"""The guarded client: the HTTP client that a vendor's library is given, with a guard at every answer.

Time limits, size limits and the check of the bytes stand here, because the libraries have none of their own
or replace what is broken. It follows no redirect and keeps no cookie.
"""

import codecs
import re
from collections.abc import AsyncGenerator, AsyncIterator
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from talewright.llm.provider import ProviderError, Trouble
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.model_http_client import (
    CONNECTIONS_MAX,
    EVENTS,
    KEEP_SECONDS,
    LINE_BYTES_MAX,
    PORT_MAX,
    REFUSAL_BYTES_MAX,
    STREAM_BYTES_MAX,
    is_near,
    unusable_proxy,
)

_HOST = re.compile(rb"[A-Za-z0-9._:-]+")


def make_client(
    url: httpx2.URL, reporter: ProviderErrorReporter, connect_seconds: float
) -> httpx2.AsyncClient:
    """A client for one server."""
    guard = ResponseGuard(reporter, connect_seconds)
    try:
        return httpx2.AsyncClient(
            http2=False,
            follow_redirects=False,
            # A server on this machine shows no certificate, and reading those of the world takes long.
            verify=url.scheme == "https",
            # A proxy of the environment is for the world outside.
            trust_env=not is_near(name_host(url)),
            # The answer is read byte by byte; nothing that inflates may stand between.
            headers={"accept-encoding": "identity"},
            timeout=httpx2.Timeout(None, connect=connect_seconds, pool=connect_seconds),
            limits=httpx2.Limits(max_connections=CONNECTIONS_MAX, keepalive_expiry=KEEP_SECONDS),
            # What a server wants remembered about one player must not come back with another's question.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            event_hooks={"request": [guard.limit], "response": [guard.watch]},
        )
    except (ImportError, ValueError, httpx2.InvalidURL):
        raise unusable_proxy() from None


def read_address(base_url: str) -> httpx2.URL:
    """The address without its last slash. Nothing secret may stand in it."""
    try:
        url = httpx2.URL(base_url.strip().rstrip("/"))
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        url = httpx2.URL("")
    plain = not (url.userinfo or url.query or url.fragment)
    sound = _HOST.fullmatch(url.raw_host) and (url.port is None or 0 < url.port <= PORT_MAX)
    if url.scheme not in ("http", "https") or not plain or not sound:
        raise ProviderError(
            Trouble.REQUEST,
            "the address of the model server cannot be used",
            "Write it like https://api.example.com, with no name, key or question mark in it.",
            unpaid=True,
        )
    return url


def name_host(url: httpx2.URL) -> str:
    """The host of an address, with its port, for messages."""
    return url.netloc.decode("ascii")


class ResponseGuard:
    """What every request and every answer passes."""

    def __init__(self, reporter: ProviderErrorReporter, connect_seconds: float) -> None:
        self._reporter = reporter
        self._connect_seconds = connect_seconds

    async def limit(self, request: httpx2.Request) -> None:
        """Set the time for the connection, whatever a library set; the bridge measures all other waiting."""
        seconds = self._connect_seconds
        request.extensions["timeout"] = {"connect": seconds, "pool": seconds, "read": None, "write": None}

    async def watch(self, response: httpx2.Response) -> None:
        """Have the bytes of an answer looked at as they come."""
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = GuardedStream(response, response.stream, self._reporter)


class GuardedStream(httpx2.AsyncByteStream):
    """The bytes of one answer, as long as they can be those of a model server."""

    def __init__(
        self, response: httpx2.Response, stream: httpx2.AsyncByteStream, reporter: ProviderErrorReporter
    ) -> None:
        self._refused = response.status_code != HTTPStatus.OK
        self._kind = response.headers.get("content-type", "")
        self._encoding = response.headers.get("content-encoding", "identity")
        self._stream = stream
        self._read = aiter(stream)
        self._reporter = reporter

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._refused:
            async for data in self._read_refusal():
                yield data
            return
        if not self._kind.startswith(EVENTS):
            kind = self._reporter.quote(self._kind) or "no type"
            raise self._reporter.garbled(f"{kind} instead of events")
        if self._encoding != "identity":
            raise self._reporter.garbled("an encoding that was not asked for")
        check = codecs.getincrementaldecoder("utf-8")()
        size = line = 0
        async for data in self._read:
            size += len(data)
            last = data.rfind(b"\n")
            longest = max(map(len, data.split(b"\n"))) + line if last >= 0 else line + len(data)
            line = len(data) - last - 1 if last >= 0 else longest
            if longest > LINE_BYTES_MAX or size > STREAM_BYTES_MAX:
                raise self._reporter.garbled("far too much at once")
            try:
                check.decode(data)
            except UnicodeDecodeError:
                # Never replaced: what is kept of an answer must be what was said.
                raise self._reporter.garbled("bytes that are no UTF-8") from None
            yield data

    async def aclose(self) -> None:
        """Let go of the connection, and of the reading of it before."""
        if isinstance(self._read, AsyncGenerator):
            await self._read.aclose()
        await self._stream.aclose()

    async def _read_refusal(self) -> AsyncIterator[bytes]:
        """The beginning of a refusal is enough."""
        left = REFUSAL_BYTES_MAX
        async for data in self._read:
            yield data[:left]
            left -= len(data)
            if left <= 0:
                return
