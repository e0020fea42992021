"""The address of a server: checked, and free of passwords and tokens.

Nothing is connected here.
"""

import ipaddress
from urllib.parse import urlsplit

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError

LOOPBACK = "127.0.0.1"


class ServerAddressError(TalewrightError):
    """The address of a server is not valid."""


@frozen
class ServerAddress:
    """The address of a server."""

    url: str
    """Without a trailing slash."""

    request_url: str
    """The same, with a name of this machine replaced by its address: a name may have other addresses, and
    someone else could listen there.
    """

    is_near: bool
    """Whether it is on this machine."""

    is_encrypted: bool


def read_address(text: str) -> ServerAddress:
    """Parse an address that the user typed. Raises ServerAddressError if it is not valid."""
    try:
        parts = urlsplit(text.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https"):
        raise ServerAddressError(
            "the address of the server is not valid", "It looks like http://127.0.0.1:8765."
        )
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ServerAddressError(
            "the address of the server must not contain a password or a token",
            "Set TALEWRIGHT_TOKEN to the token, or type it when asked.",
        )
    url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    near, request_url = _is_near(host), url
    if near and parts.scheme == "http" and host.endswith("localhost"):
        port = "" if parts.port is None else f":{parts.port}"
        request_url = f"http://{LOOPBACK}{port}{parts.path.rstrip('/')}"
    return ServerAddress(url, request_url, near, parts.scheme == "https")


def _is_near(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
