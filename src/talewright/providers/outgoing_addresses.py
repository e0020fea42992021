"""Outgoing addresses: which model servers a host connects to, and to which address of each.

A player on a laptop may ask any server. A host asks only the servers that its operator lists. Their names are
resolved and checked here, and the connection goes to the address that was checked, so that no name can lead
into the host's own network.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.llm.provider import ProviderError, Trouble

PIN_SECONDS = 300.0
"""How long a resolved address is used; then the name is resolved and checked again."""

PORTS = {"http": 80, "https": 443}
EMBEDDING = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))
)
"""IPv6 networks whose addresses lead to an IPv4 address that they contain."""

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_PINNED = "talewright_pinned"

ResolveHost: TypeAlias = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""The addresses of a host."""


class AddressListError(TalewrightError):
    """The list of allowed servers cannot be read."""


class OutgoingUrl(Protocol):
    """The address of a request, of httpx or httpx2."""

    @property
    def scheme(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int | None: ...
    def copy_with(self, *, host: str) -> Any: ...


class OutgoingRequest(Protocol):
    """A request that is about to be sent, of httpx or httpx2."""

    url: Any
    extensions: Any


@frozen
class AllowedServer:
    """A server that may be asked."""

    scheme: str
    host: str
    port: int
    address: str = ""
    """Where the operator says it is, even in a private network; empty if its name is to be resolved."""


def read_allowed_servers(text: str) -> tuple[AllowedServer, ...]:
    """Servers separated by commas, such as `https://api.example.com, http://models.internal:8000=10.0.0.5`."""
    return tuple(_read_server(part.strip()) for part in text.split(",") if part.strip())


class OutgoingAddresses:
    """Allows requests to listed servers, and sends each to an address that was checked."""

    def __init__(
        self,
        allowed: tuple[AllowedServer, ...],
        resolve: ResolveHost | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._allowed = {(one.scheme, one.host, one.port): one for one in allowed}
        self._resolve = resolve or resolve_host
        self._clock = clock
        self._pins: dict[AllowedServer, tuple[float, str]] = {}

    def check(self, url: OutgoingUrl) -> AllowedServer:
        """The server of an address. Raises ProviderError if it is not listed."""
        port = url.port or PORTS.get(url.scheme, 0)
        server = self._allowed.get((url.scheme, url.host.lower(), port))
        if server is None:
            raise ProviderError(
                Trouble.REQUEST,
                "this host does not connect to the server of the model",
                "The operator lists the servers that may be asked in TALEWRIGHT_MODEL_SERVERS.",
                unpaid=True,
            )
        return server

    async def pin(self, request: OutgoingRequest) -> None:
        """Send a request to the checked address of its server; the hook of a client."""
        if _PINNED in request.extensions:
            return
        server = self.check(request.url)
        address = await self._find(server)
        # The header Host and the certificate are still those of the name.
        request.extensions = {**request.extensions, "sni_hostname": server.host, _PINNED: True}
        request.url = request.url.copy_with(host=address)

    async def _find(self, server: AllowedServer) -> str:
        if server.address:
            return server.address
        now = (self._clock or asyncio.get_running_loop().time)()
        at, address = self._pins.get(server, (0.0, ""))
        if not address or now - at >= PIN_SECONDS:
            address = choose_public(await self._ask(server))
            self._pins[server] = (now, address)
        return address

    async def _ask(self, server: AllowedServer) -> tuple[str, ...]:
        try:
            return await self._resolve(server.host, server.port)
        except OSError:
            raise _unreachable("the name of the model server cannot be resolved") from None


def choose_public(addresses: tuple[str, ...]) -> str:
    """One of a server's addresses, IPv4 first. Raises ProviderError unless all of them are public."""
    if not addresses or not all(map(is_public, addresses)):
        raise _unreachable("the name of the model server leads to an address that is not public")
    return min(addresses, key=lambda one: ":" in one)


def is_public(address: str) -> bool:
    """Whether an address is on the public internet and nowhere else."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(read, ipaddress.IPv6Address):
        if read.ipv4_mapped is not None or read.scope_id or read.is_site_local:
            return False
        if any(read in network for network in EMBEDDING):
            return False
    return read.is_global and not (read.is_multicast or read.is_reserved or read.is_unspecified)


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """The addresses that the system's resolver gives for a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(row[4][0]) for row in found))


def _read_server(text: str) -> AllowedServer:
    name, _, address = text.partition("=")
    try:
        url = urlsplit(name)
        port = url.port or PORTS.get(url.scheme, 0)
    except ValueError:
        url, port = urlsplit(""), 0
    host = url.hostname or ""
    plain = url.path in ("", "/") and not (url.query or url.fragment or url.username is not None)
    if url.scheme not in PORTS or not plain or not (_HOST.fullmatch(host) or _is_address(host)):
        raise _unreadable(text)
    address = address or (host if _is_address(host) else "")
    if address and not _is_address(address):
        raise _unreadable(text)
    return AllowedServer(url.scheme, host, port, address)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _unreadable(text: str) -> AddressListError:
    return AddressListError(
        f"{text!r} is not the address of a model server",
        "Write scheme and host, such as https://api.example.com. For a server in your own network add its "
        "address: http://models.internal:8000=10.0.0.5",
    )


def _unreachable(message: str) -> ProviderError:
    return ProviderError(
        Trouble.UNREACHABLE,
        message,
        "The operator can name the address of a server of the own network: "
        "TALEWRIGHT_MODEL_SERVERS=http://models.internal:8000=10.0.0.5",
        unpaid=True,
    )
