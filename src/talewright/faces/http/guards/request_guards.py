"""Request guards: the checks every request passes first, and the headers every response carries.

They know hosts, origins and sizes, but no routes. They keep out pages of other origins, including those that
reach this server under a name of their own (DNS rebinding) or from another port of this machine.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, NoReturn, TypeAlias

from starlette.exceptions import HTTPException

from talewright.common.frozen_values import frozen

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
HOST_NAMES = (HOST, "localhost", "[::1]")
"""The names this machine has for itself; requests for any other name are refused."""

BODY_BYTES_MAX = 1024 * 1024
"""The maximum size of a request, except for paths with their own limit."""

BODY_SECONDS = 60.0
"""How long the body of a request may take to arrive, apart from what its size allows."""

BODY_BYTES_PER_SECOND = 64 * 1024
"""Each second's worth of bytes that arrives gives a body another second."""

UPLOADS_MAX = 8
"""Bodies for paths with their own limit that are received at the same time: they are held in memory."""

LENGTH_DIGITS_MAX = 18
HTTP_PORT = 80
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

CONTENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Pages may load nothing, unless their own policy says so."""

FIXED_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}
"""Headers of every response."""

USUAL_HEADERS = {
    b"content-security-policy": CONTENT_POLICY.encode(),
    b"cache-control": b"no-store",
    b"referrer-policy": b"no-referrer",
}
"""Headers of every response that has no such header yet."""

PROBLEM = "application/problem+json"


@frozen
class RequestRefusal:
    """Why a request is refused."""

    status: int
    title: str
    code: str
    detail: str
    hint: str

    async def answer(self, send: Send, more: Mapping[str, str] | None = None) -> None:
        """Send it as problem details (RFC 9457) and close the connection."""
        members = {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "hint": self.hint,
        }
        body = json.dumps(members).encode()
        headers = [
            (b"content-type", PROBLEM.encode()),
            (b"content-length", str(len(body)).encode()),
            # Unread bytes of this request would be taken for the next one.
            (b"connection", b"close"),
            *((name.lower().encode(), value.encode()) for name, value in (more or {}).items()),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


FOREIGN_HOST = RequestRefusal(
    421,
    "Misdirected Request",
    "request_foreign",
    "the request names another host",
    "Use the address that `talewright serve` prints.",
)
FOREIGN_ORIGIN = RequestRefusal(
    403,
    "Forbidden",
    "request_foreign",
    "the request comes from a page of another origin, or does not say which",
    "Programs send the token: Authorization: Bearer TOKEN.",
)
NO_WEBSOCKET = RequestRefusal(
    403, "Forbidden", "request_foreign", "there are no WebSockets here", "Use the event stream instead."
)
TOO_LARGE = RequestRefusal(
    413, "Content Too Large", "body_too_large", "the body of the request is too large", "Send less."
)
TWO_LENGTHS = RequestRefusal(
    400,
    "Bad Request",
    "request_refused",
    "the request has both Content-Length and Transfer-Encoding",
    "Send only one of them.",
)
TOO_SLOW = RequestRefusal(
    408,
    "Request Timeout",
    "body_too_slow",
    "the body of the request arrives too slowly",
    "Send it again over a faster connection.",
)
TOO_MANY_UPLOADS = RequestRefusal(
    503,
    "Service Unavailable",
    "server_busy",
    "the server is receiving too many files",
    "Send the file again in a few seconds.",
)


class RequestGuards:
    """The application behind all guards."""

    def __init__(
        self,
        app: AsgiApp,
        port: int,
        body_limits: Mapping[str, int] | None = None,
        names: Iterable[str] = HOST_NAMES,
        origins: Mapping[str, str] | None = None,
    ) -> None:
        """`origins` are public addresses: the host as clients name it, and the origin of its pages."""
        self._app = app
        hosts = [
            host for name in names for host in (f"{name}:{port}", *((name,) if port == HTTP_PORT else ()))
        ]
        self._origins = {**{host: f"http://{host}" for host in hosts}, **(origins or {})}
        self._body_limits = dict(body_limits or {})
        self._slots = UploadSlots()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # Before it is accepted, closing a WebSocket refuses it.
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = GuardedResponse(send)
        refused = self._find_refusal(scope)
        if refused is not None:
            await answer.refuse(refused)
            return
        slots = self._slots if scope["path"] in self._body_limits else None
        body = LimitedBody(receive, self._find_limit(scope), answer, slots)
        try:
            await self._app(scope, body.receive, answer.send)
        except Exception:
            # The application may fail because its body was cut off; the client has been told already.
            if not answer.refused:
                raise
        finally:
            body.end()

    def _find_refusal(self, scope: Scope) -> RequestRefusal | None:
        found: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            found.setdefault(name.lower(), []).append(value)
        hosts = [value.decode("latin-1").lower() for value in found.get(b"host", ())]
        if len(hosts) != 1 or hosts[0] not in self._origins:
            return FOREIGN_HOST
        if any(b"websocket" in value.lower() for value in found.get(b"upgrade", ())):
            return NO_WEBSOCKET
        origins = [value.decode("latin-1") for value in found.get(b"origin", ())]
        if any(origin != self._origins[hosts[0]] for origin in origins):
            return FOREIGN_ORIGIN
        # A browser adds the cookie to whatever any page sends, and says only in Origin which page it is.
        by_cookie = b"cookie" in found and b"authorization" not in found
        if by_cookie and not origins and scope["method"] not in SAFE_METHODS:
            return FOREIGN_ORIGIN
        if b"content-length" in found and b"transfer-encoding" in found:
            # Where such a body ends is read differently by others, such as a proxy.
            return TWO_LENGTHS
        length = found.get(b"content-length", [b"0"])[0].lstrip(b"0")
        if not length.isdigit():
            return None
        is_long = len(length) > LENGTH_DIGITS_MAX or int(length) > self._find_limit(scope)
        return TOO_LARGE if is_long else None

    def _find_limit(self, scope: Scope) -> int:
        return self._body_limits.get(scope["path"], BODY_BYTES_MAX)


class GuardedResponse:
    """A response with the headers every response carries."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = False
        self.refused = False

    async def send(self, message: Message) -> None:
        """Forward a message from the application."""
        if self.refused:
            return
        if message["type"] == "http.response.start":
            self._started = True
            message = {**message, "headers": _add_headers(message.get("headers", ()))}
        await self._send(message)

    async def refuse(self, why: RequestRefusal) -> None:
        """Answer in place of the application, unless it has already begun."""
        if self._started or self.refused:
            return
        await why.answer(self.send)
        self.refused = True


class UploadSlots:
    """How many large bodies are being received."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self) -> bool:
        """Take a slot, if one is free."""
        is_free = self.taken < UPLOADS_MAX
        self.taken += is_free
        return is_free


class LimitedBody:
    """The body of a request, up to its limit, and only while it arrives fast enough."""

    def __init__(
        self, receive: Receive, limit: int, answer: GuardedResponse, slots: UploadSlots | None = None
    ) -> None:
        """`slots` are those of large bodies; a body takes one while it is received."""
        self._receive = receive
        self._limit = limit
        self._answer = answer
        self._slots = slots
        self._received = 0
        self._started: float | None = None
        self._complete = self._holds_slot = False

    async def receive(self) -> Message:
        """The next message."""
        if self._complete:
            # All that can follow is the end of the connection, which may take as long as it likes.
            return await self._receive()
        loop = asyncio.get_running_loop()
        if self._started is None:
            self._started = loop.time()
            if self._slots is not None:
                self._holds_slot = self._slots.take()
                if not self._holds_slot:
                    await self._refuse(TOO_MANY_UPLOADS)
        try:
            async with asyncio.timeout_at(
                self._started + BODY_SECONDS + self._received / BODY_BYTES_PER_SECOND
            ):
                message = await self._receive()
        except TimeoutError:
            await self._refuse(TOO_SLOW)
        self._received += len(message.get("body", b""))
        if self._received > self._limit:
            await self._refuse(TOO_LARGE)
        if message["type"] != "http.request" or not message.get("more_body", False):
            self.end()
        return message

    def end(self) -> None:
        """Nothing more of it is received."""
        self._complete = True
        if self._slots is not None and self._holds_slot:
            self._slots.taken -= 1
            self._holds_slot = False

    async def _refuse(self, why: RequestRefusal) -> NoReturn:
        await self._answer.refuse(why)
        raise HTTPException(why.status, why.detail)


def _add_headers(given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in given if name.lower() not in FIXED_HEADERS]
    names = {name.lower() for name, _ in kept}
    usual = ((name, value) for name, value in USUAL_HEADERS.items() if name not in names)
    return [*kept, *FIXED_HEADERS.items(), *usual]
