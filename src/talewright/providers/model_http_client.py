"""The HTTP client: one hardened setup for every wing that talks to a model server.

It follows no redirect, keeps no cookie, takes no proxy for this machine, and has a limit for everything.
Options and checks are the same for httpx and for the httpx2 of the vendors' libraries. Waiting is measured by
whoever asks, by `reply_timeouts`; nothing of an answer is read here.
"""

import re
from collections.abc import Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Protocol, TypeVar

import httpx

from talewright.common.frozen_values import frozen
from talewright.llm.provider import ProviderError, Trouble
from talewright.providers.reply_timeouts import ProviderTimeouts

BODY_BYTES_MAX = 1 << 22
"""Bytes of an answer in one piece: a whole reply, or a list of models."""

REFUSAL_BYTES_MAX = 1 << 16
"""Bytes of a refusal that are read."""

KEEP_SECONDS = 120.0
"""How long an idle connection is kept: a player thinks, and the next turn need not shake hands again."""

CONNECTIONS_MAX = 100
"""Connections to one server at once."""

PORT_MAX = 65_535
EVENTS = "text/event-stream"
_HOST = re.compile(rb"[A-Za-z0-9._:-]+")

LINE_BYTES_MAX = 1 << 20
"""Bytes of one event; a chunk has a few hundred."""

STREAM_BYTES_MAX = 1 << 25
"""Bytes of one answer with all that is around it."""

ENCODING = "identity"
"""The one encoding of an answer that is asked for: nothing that inflates may stand between."""


class ServerUrl(Protocol):
    """An address as the HTTP libraries parse it: `httpx.URL`, and `httpx2.URL` of the vendors' libraries."""

    @property
    def scheme(self) -> str: ...
    @property
    def userinfo(self) -> bytes: ...
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


_Url = TypeVar("_Url", bound=ServerUrl)


@frozen
class ClientOptions:
    """How a client for one server is set up, whichever library it is of."""

    verify: bool
    """Reading the certificates of the world takes longer than asking a server on this machine, which shows
    none; and no redirect can lead from there to one that does."""

    trust_env: bool
    """A proxy of the environment is for the world outside, not for a server on this machine."""

    connect_seconds: float
    http2: bool = False
    follow_redirects: bool = False
    connections_max: int = CONNECTIONS_MAX
    keep_seconds: float = KEEP_SECONDS

    @property
    def timeouts(self) -> dict[str, float | None]:
        """All waiting but that for a connection is measured by the adapter, which knows what it waits for."""
        seconds = self.connect_seconds
        return {"connect": seconds, "pool": seconds, "read": None, "write": None}

    def make_cookies(self) -> CookieJar:
        """A jar that stays empty.

        What a server wants remembered about one player must not come back with another's question.
        """
        return CookieJar(DefaultCookiePolicy(allowed_domains=()))


def choose_options(url: ServerUrl, timeouts: ProviderTimeouts) -> ClientOptions:
    """The options for the server at an address."""
    return ClientOptions(
        verify=url.scheme == "https",
        trust_env=not is_near(name_host(url)),
        connect_seconds=timeouts.connect_seconds,
    )


def make_httpx_client(options: ClientOptions) -> httpx.AsyncClient:
    """A client of httpx; the bridge makes one of httpx2 from the same options."""
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
        )
    except (ImportError, ValueError, httpx.InvalidURL):
        raise unusable_proxy() from None


def read_server_address(
    base_url: str, parse: Callable[[str], _Url], invalid: type[Exception], example: str
) -> _Url:
    """The address without its last slash, parsed by a library. Nothing secret may stand in it.

    `invalid` is what that library raises where it cannot parse, `example` what the hint shows.
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
            f"Write it like {example}, with no name, key or question mark in it.",
            unpaid=True,
        )
    return url


def name_host(url: ServerUrl) -> str:
    """The host of an address, with its port, for messages."""
    return url.netloc.decode("ascii")


KEPT_MAX = 3
"""Kept connections that may turn out to be closed, one after the other."""

_CLOSED = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_CONNECTING = "connection.connect_tcp.started"


async def send_request(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    """Send a request; the response has its head, and its body is still to be read."""
    for _ in range(KEPT_MAX):
        events = _watch(request)
        try:
            return await _send(client, request)
        except _CLOSED:
            if _CONNECTING in events:
                raise
    return await _send(client, request)


def _watch(request: httpx.Request) -> set[str]:
    """What happens to the connection of a request from now on."""
    events: set[str] = set()

    async def note(event: str, _info: object) -> None:
        events.add(event)

    request.extensions["trace"] = note
    return events


async def _send(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    return await client.send(request, stream=True, follow_redirects=False)


def unusable_proxy() -> ProviderError:
    """No way out of this machine. What the environment names may hold a password, and is not repeated."""
    return ProviderError(
        Trouble.REQUEST,
        "the proxy that the environment names cannot be used",
        "For a SOCKS proxy: pip install 'httpx[socks]', and write socks5://host:port. Or do without one: "
        "unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, or name the server in NO_PROXY.",
        unpaid=True,
    )


def is_near(host: str) -> bool:
    """Whether a host, with or without a port, is this machine."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in ("localhost", "[::1]") or name.startswith("127.")
