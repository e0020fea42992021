"""The guarded client: the HTTP client passed to a vendor's library, with checks on every response.

Time limits, size limits and byte checks are here because the libraries have none of their own, or replace
broken bytes. It follows no redirects and stores no cookies.
"""

import codecs
from collections.abc import AsyncGenerator, AsyncIterator
from http import HTTPStatus

import httpx2

from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.model_http_client import (
    ENCODING,
    EVENTS,
    LINE_BYTES_MAX,
    REFUSAL_BYTES_MAX,
    STREAM_BYTES_MAX,
    ClientOptions,
    read_server_address,
    unusable_proxy,
)


def make_client(options: ClientOptions, reporter: ProviderErrorReporter) -> httpx2.AsyncClient:
    """A client for one server."""
    guard = ResponseGuard(reporter, options)
    try:
        return httpx2.AsyncClient(
            http2=options.http2,
            follow_redirects=options.follow_redirects,
            verify=options.verify,
            trust_env=options.trust_env,
            headers={"accept-encoding": ENCODING},
            timeout=httpx2.Timeout(**options.timeouts),
            limits=httpx2.Limits(
                max_connections=options.connections_max, keepalive_expiry=options.keep_seconds
            ),
            cookies=options.make_cookies(),
            event_hooks={"request": [*options.request_hooks, guard.limit], "response": [guard.watch]},
        )
    except (ImportError, ValueError, httpx2.InvalidURL):
        raise unusable_proxy() from None


def read_address(base_url: str) -> httpx2.URL:
    """The address without its trailing slash."""
    return read_server_address(base_url, httpx2.URL, httpx2.InvalidURL, "https://api.example.com")


class ResponseGuard:
    """Checks every request and every response."""

    def __init__(self, reporter: ProviderErrorReporter, options: ClientOptions) -> None:
        self._reporter = reporter
        self._options = options

    async def limit(self, request: httpx2.Request) -> None:
        """Set the connection timeout, whatever a library set; the bridge measures all other waiting."""
        request.extensions["timeout"] = self._options.timeouts

    async def watch(self, response: httpx2.Response) -> None:
        """Check the bytes of a response as they arrive."""
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = GuardedStream(response, response.stream, self._reporter)


class GuardedStream(httpx2.AsyncByteStream):
    """The bytes of one response, as long as they can be those of a model server."""

    def __init__(
        self, response: httpx2.Response, stream: httpx2.AsyncByteStream, reporter: ProviderErrorReporter
    ) -> None:
        self._refused = response.status_code != HTTPStatus.OK
        self._kind = response.headers.get("content-type", "")
        self._encoding = response.headers.get("content-encoding", ENCODING)
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
        if self._encoding != ENCODING:
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
                # Never replaced: what is stored of an answer must be what was sent.
                raise self._reporter.garbled("bytes that are no UTF-8") from None
            yield data

    async def aclose(self) -> None:
        """Close the reader, and then the connection."""
        if isinstance(self._read, AsyncGenerator):
            await self._read.aclose()
        await self._stream.aclose()

    async def _read_refusal(self) -> AsyncIterator[bytes]:
        """The beginning of an error response is enough."""
        left = REFUSAL_BYTES_MAX
        async for data in self._read:
            yield data[:left]
            left -= len(data)
            if left <= 0:
                return
