"""The connection to a server: sends requests, retries after a broken connection, and reports errors.

A request is sent twice only if that does no harm. This module does not know what the requests mean.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from time import monotonic
from typing import Any

import httpx

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.errors import TalewrightError
from talewright.play.error_codes import RemoteError
from talewright.play.wire.view_codec import WireError
from talewright.remote.server_address import ServerAddress, read_address
from talewright.remote.token_challenge import TokenChallenge

API_PATH = "/api"
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
"""How long an answer may take, in addition to the time that the server was asked to wait."""

SILENCE_SECONDS = 45.0
"""How long a stream may be silent; the server sends a comment every 15 seconds."""

CONNECTIONS_MAX = 32
TRY_AGAIN_STATUSES = frozenset({429, 502, 503, 504})
"""The server, or a proxy in front of it, is not ready and has done nothing."""

STOPPING = "server_stopping"
"""The code of a temporary problem: the server is probably being restarted."""

PROBLEM_TYPE = "application/problem+json"
UNKNOWN_FAILURE = "remote_failed"
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class UnreachableServerError(TalewrightError):
    """The server does not answer."""


class BrokenConnectionError(UnreachableServerError):
    """The connection broke after a request was sent: it is unknown whether it was carried out."""


@frozen
class RetryRules:
    """When to try again after a connection failed."""

    limit_seconds: float = 60.0
    """How long to keep trying; then the caller gets an error."""

    first_seconds: float = 0.05
    most_seconds: float = 2.0

    def pause_seconds(self, attempt: int) -> float:
        """How long to wait after a failed attempt, counted from 0."""
        return min(self.first_seconds * 2.0 ** min(attempt, 30), self.most_seconds)


@frozen
class ServerRequest:
    """One request."""

    method: str
    path: str
    """The path below `/api`."""

    query: Mapping[str, str]
    body: Json = None
    content: bytes | None = None
    """A body that is not JSON."""

    repeatable: bool = True
    """Whether it may be sent again if the server may already have received it."""

    wait_seconds: float = 0.0
    """How long the server was asked to wait before it answers."""

    expected: tuple[int, ...] = ()
    """Error statuses that the caller handles."""


@frozen
class ServerAnswer:
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_temporary(self) -> bool:
        """Whether the server, or a proxy in front of it, is not ready; a problem with a code is final."""
        return self.status in TRY_AGAIN_STATUSES and PROBLEM_TYPE not in self.headers.get("content-type", "")

    @property
    def is_stopping(self) -> bool:
        """Whether the server stopped before it could answer; it may have done what was asked."""
        return self.status in TRY_AGAIN_STATUSES and f'"{STOPPING}"'.encode() in self.content

    def read(self) -> Json:
        """The JSON of the answer."""
        try:
            raw: Json = json.loads(self.content)
        except (ValueError, RecursionError):
            raise WireError("the server's answer is not JSON") from None
        return raw


class ServerConnection:
    """The connection to one server, with one token."""

    def __init__(
        self,
        base_url: str,
        token: str,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        retry: RetryRules | None = None,
        seconds: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        address = read_address(base_url)
        self.url = address.url
        self.retry = retry or RetryRules()
        self.sleep = sleep
        self._seconds = seconds
        self._extensions = {} if address.is_encrypted else _make_challenge(address, token)
        self._client = httpx.AsyncClient(
            base_url=f"{address.request_url}{API_PATH}",
            headers={"Authorization": f"Bearer {token}"},
            transport=transport,
            # Loading the CA certificates takes longer than a request to a local server, which needs none.
            verify=address.is_encrypted,
            # A proxy would read the token, unless it only passes on what is encrypted.
            trust_env=address.is_encrypted and not address.is_near,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=CONNECTIONS_MAX),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )

    async def send(self, request: ServerRequest) -> ServerAnswer:
        """Send a request. Raises RemoteError with the server's code, or UnreachableServerError."""
        started, attempt = self._seconds(), 0
        while True:
            try:
                answer = await self._send(request)
                if not answer.is_temporary and not (answer.is_stopping and request.repeatable):
                    return answer if answer.status in request.expected else check_answer(answer)
                trouble = f"it answers with status {answer.status}"
            except httpx.TransportError as error:
                trouble = _describe(error)
                if not request.repeatable and not isinstance(error, _NEVER_SENT):
                    raise BrokenConnectionError(
                        f"the connection to {self.url} broke: {trouble}",
                        "The request may or may not have been carried out; check before you try again.",
                    ) from error
            pause = self.retry.pause_seconds(attempt)
            if self._seconds() - started + pause > self.retry.limit_seconds:
                raise self._unreachable(trouble)
            attempt += 1
            await self.sleep(pause)

    @asynccontextmanager
    async def stream(
        self, path: str, query: Mapping[str, str], headers: Mapping[str, str]
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of a stream. Raises RemoteError, or `httpx.TransportError` when it breaks."""
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        sent = {"Accept": "text/event-stream", **headers}
        async with self._client.stream(
            "GET", path, params=dict(query), headers=sent, timeout=timeout, extensions=self._extensions
        ) as response:
            if response.status_code != httpx.codes.OK:
                answer = ServerAnswer(response.status_code, response.headers, await response.aread())
                if not answer.is_temporary and not answer.is_stopping:
                    check_answer(answer)
                raise httpx.RemoteProtocolError(f"status {answer.status}")
            yield response.aiter_bytes()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _send(self, request: ServerRequest) -> ServerAnswer:
        made = self._client.build_request(
            request.method,
            request.path,
            params=dict(request.query),
            json=request.body,
            content=request.content,
            timeout=httpx.Timeout(ANSWER_SECONDS + request.wait_seconds, connect=CONNECT_SECONDS),
            extensions=self._extensions,
        )
        response = await self._client.send(made)
        return ServerAnswer(response.status_code, response.headers, response.content)

    def _unreachable(self, trouble: str) -> UnreachableServerError:
        return UnreachableServerError(
            f"the server at {self.url} does not answer: {trouble}",
            "Check that it is running (talewright serve), and its address. Nothing that was sent is lost.",
        )


def _make_challenge(address: ServerAddress, token: str) -> dict[str, Any]:
    """The extension that has a new connection proven before the token is sent over it.

    Encrypted connections need none: there, a certificate proves who listens.
    """
    url = httpx.URL(address.request_url)
    challenge = TokenChallenge(address.url, url.netloc.decode(), f"{url.path.rstrip('/')}{API_PATH}", token)
    return {"trace": challenge.watch}


def check_answer(answer: ServerAnswer) -> ServerAnswer:
    """The answer, if it is not an error. Raises RemoteError with the code of the problem."""
    if answer.status < httpx.codes.BAD_REQUEST:
        return answer
    raw: Json = None
    if "json" in answer.headers.get("content-type", ""):
        try:
            raw = answer.read()
        except WireError:
            raw = None
    problem = raw if isinstance(raw, Mapping) else {}
    code = clean_line(_text(problem, "code")) or UNKNOWN_FAILURE
    message = clean(_text(problem, "detail") or _text(problem, "title"))
    hint = clean(_text(problem, "hint"))
    if answer.status == httpx.codes.UNAUTHORIZED and not hint:
        hint = "The token is the one that `talewright serve` prints; set TALEWRIGHT_TOKEN to it."
    raise RemoteError(code, message or f"the server answered with status {answer.status}", hint)


def _text(problem: Mapping[str, Json], name: str) -> str:
    value = problem.get(name)
    return value if isinstance(value, str) else ""


def _describe(error: httpx.TransportError) -> str:
    match error:
        case httpx.ConnectError():
            return "no connection"
        case httpx.TimeoutException():
            return "it takes too long"
        case _:
            return "the connection broke"
