"""The fence around the tests: connections go to this machine or nowhere.

It looks at addresses only; what is said over a connection is not its business.
"""

import ipaddress
import socket
from collections.abc import Callable
from typing import Any


class OutsideError(AssertionError):
    """A test wanted to reach another machine."""


def is_near(address: object) -> bool:
    """Whether an address is on this machine: loopback, or a name in the file system."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def fence(connect: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, refused for addresses elsewhere."""

    def connect_near(self: socket.socket, address: object) -> Any:
        if not is_near(address):
            raise OutsideError(f"a test wants to connect to {address!r}; tests stay on this machine")
        return connect(self, address)

    return connect_near
