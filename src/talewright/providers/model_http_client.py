"""The HTTP client: one hardened configuration for everything that talks to a model server.

It follows no redirects, stores no cookies, uses no proxy for the local machine, and limits everything.
Options and checks are the same for httpx and for the httpx2 of the vendors' libraries. Timeouts are measured
by the caller, with `reply_timeouts`; no answers are read here.
"""

import re
from collections.abc import Awaitable, Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Protocol, TypeVar

import httpx

from talewright.common.frozen_values import frozen
from talewright.llm.provider import ProviderError, Trouble
from talewright.providers.outgoing_addresses import OutgoingAddresses
from talewright.providers.reply_timeouts import ProviderTimeouts

BODY_BYTES_MAX = 1 << 22
"""Bytes of an unstreamed answer: a whole reply, or a list of models."""

REFUSAL_BYTES_MAX = 1 << 16
"""Bytes read of an error response."""

KEEP_SECONDS = 120.0
"""How long an idle connection is kept open, so that the next turn needs no new handshake."""

CONNECTIONS_MAX = 100
"""Connections to one server at once."""

PORT_MAX = 65_535
EVENTS = "text/event-stream"
_HOST = re.compile(rb"[A-Za-z0-9._:-]+")

LINE_BYTES_MAX = 1 << 20
"""Bytes of one event; a typical chunk has a few hundred."""

STREAM_BYTES_MAX = 1 << 25
"""Bytes of one answer, including all overhead."""

ENCODING = "identity"
"""The only content encoding requested: no decompression that could inflate an answer."""


class ServerUrl(Protocol):
    """An address parsed by an HTTP library: `httpx.URL`, or `httpx2.URL` of the vendors' libraries."""

    @property
    def scheme(self) -> str: ...
    @property
    def userinfo(self) -> bytes: ...
    @property
    def host(self) -> str: ...
    @property
    def raw_host(self) -> bytes: ...
    @property
    def port(self) -> int | None: ...
    @property
    def netloc(self) -> bytes: ...
    @property
    def query(self) -> bytes: ...
    @property
    def fragment(self) -> str: ...
    def copy_with(self, *, host: str) -> Any: ...


_Url = TypeVar("_Url", bound=ServerUrl)


@frozen
class ClientOptions:
    """The configuration of a client for one server, for either library."""

    verify: bool
    """Whether to load the CA certificates: that takes longer than asking a local server, which uses none; and
    no redirect can lead from there to a server that does.
    """

    trust_env: bool
    """A proxy from the environment is for remote servers, not for a local one."""

    connect_seconds: float
    http2: bool = False
    follow_redirects: bool = False
    connections_max: int = CONNECTIONS_MAX
    keep_seconds: float = KEEP_SECONDS
    outgoing: OutgoingAddresses | None = None
    """Which servers may be asked, and at which address; None allows all, as on a player's own machine."""

    @property
    def timeouts(self) -> dict[str, float | None]:
        """The connection timeout only: the adapter, which knows what it waits for, measures all others."""
        seconds = self.connect_seconds
        return {"connect": seconds, "pool": seconds, "read": None, "write": None}

    @property
    def request_hooks(self) -> list[Callable[[Any], Awaitable[None]]]:
        """What happens to each request before it is sent."""
        return [] if self.outgoing is None else [self.outgoing.pin]

    def make_cookies(self) -> CookieJar:
        """A cookie jar that stays empty.

        A cookie about one player must not be sent with another's request.
        """
        return CookieJar(DefaultCookiePolicy(allowed_domains=()))


def choose_options(
    url: ServerUrl, timeouts: ProviderTimeouts, outgoing: OutgoingAddresses | None = None
) -> ClientOptions:
    """The options for the server at an address. Raises ProviderError if it may not be asked."""
    if outgoing is not None:
        outgoing.check(url)
    return ClientOptions(
        verify=url.scheme == "https",
        # A proxy would resolve the name once more.
        trust_env=outgoing is None and not is_near(name_host(url)),
        connect_seconds=timeouts.connect_seconds,
        outgoing=outgoing,
    )


def make_httpx_client(options: ClientOptions) -> httpx.AsyncClient:
    """Create an httpx client; the bridge creates an httpx2 client from the same options."""
    try:
        return httpx.AsyncClient(
            http2=options.http2,
            follow_redirects=options.follow_redirects,
            verify=options.verify,
            trust_env=options.trust_env,
            timeout=httpx.Timeout(**options.timeouts),
            limits=httpx.Limits(
                max_connections=options.connections_max, keepalive_expiry=options.keep_seconds
            ),
            cookies=options.make_cookies(),
            event_hooks={"request": options.request_hooks},
        )
    except (ImportError, ValueError, httpx.InvalidURL):
        raise unusable_proxy() from None


def read_server_address(
    base_url: str, parse: Callable[[str], _Url], invalid: type[Exception], example: str
) -> _Url:
    """The address without its trailing slash, parsed by a library. It must not contain secrets.

    `invalid` is what that library raises if parsing fails, `example` is shown in the hint.
    """
    try:
        url = parse(base_url.strip().rstrip("/"))
    except (invalid, UnicodeError, ValueError):
        url = parse("")
    plain = not (url.userinfo or url.query or url.fragment)
    sound = _HOST.fullmatch(url.raw_host) and (url.port is None or 0 < url.port <= PORT_MAX)
    if url.scheme not in ("http", "https") or not plain or not sound:
        raise ProviderError(
            Trouble.REQUEST,
            "the address of the model server cannot be used",
            f"Write it like {example}, without a user name, key or question mark.",
            unpaid=True,
        )
    return url


def name_host(url: ServerUrl) -> str:
    """The host of an address, with its port, for messages."""
    return url.netloc.decode("ascii")


KEPT_MAX = 3
"""Pooled connections in a row that may turn out to be closed."""

_CLOSED = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_CONNECTING = "connection.connect_tcp.started"


async def send_request(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    """Send a request; the response has its headers, and its body is still unread."""
    for _ in range(KEPT_MAX):
        events = _watch(request)
        try:
            return await _send(client, request)
        except _CLOSED:
            if _CONNECTING in events:
                raise
    return await _send(client, request)


def _watch(request: httpx.Request) -> set[str]:
    """A set that records what happens to the connection of a request from now on."""
    events: set[str] = set()

    async def note(event: str, _info: object) -> None:
        events.add(event)

    request.extensions["trace"] = note
    return events


async def _send(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    return await client.send(request, stream=True, follow_redirects=False)


def unusable_proxy() -> ProviderError:
    """The error for an unusable proxy. Its address may contain a password, and is not repeated."""
    return ProviderError(
        Trouble.REQUEST,
        "the proxy that the environment names cannot be used",
        "For a SOCKS proxy: pip install 'httpx[socks]', and write socks5://host:port. Or do without one: "
        "unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, or name the server in NO_PROXY.",
        unpaid=True,
    )


def is_near(host: str) -> bool:
    """Whether a host, with or without a port, is the local machine."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in ("localhost", "[::1]") or name.startswith("127.")
