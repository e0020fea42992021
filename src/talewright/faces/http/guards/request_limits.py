"""Request limits: bad tokens are counted by address, and the requests of an owner by owner.

A valid token is always answered, whatever else its address has sent: one bad program must not lock out a
household.
"""

import ipaddress
import logging
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeAlias

from talewright.faces.http.access_grants import read_bearer
from talewright.faces.http.guards.request_guards import AsgiApp, Message, Receive, RequestRefusal, Scope, Send
from talewright.play.serving.owner_quotas import (
    MINUTE_SECONDS,
    OwnerCounts,
    QuotaCounts,
    RateLimit,
    RateLimitedError,
    TooManyStreamsError,
)
from talewright.play.wire.token_proof import PROOF_PATH

ADDRESSES_MAX = 10_000
"""How many addresses are remembered; the one that was bad least recently is forgotten first."""

NETWORK_BITS = 64
"""Of an IPv6 address: whoever has one has all those that begin with the same 64 bits."""

PROOF_PATHS = frozenset({f"/api{PROOF_PATH}"})
"""Paths that answer 404 to whoever does not know a token: guesses count there too."""

TOO_MANY = RequestRefusal(
    429,
    "Too Many Requests",
    "rate_limited",
    "your address has sent too many requests without a valid token",
    "Wait as long as the header Retry-After says. A valid token works at any time.",
)
TOO_MANY_STREAMS = replace(TOO_MANY, code="too_many_streams")

ClientAddress: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Network | None"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    limit: RateLimit | None
    logged_at: float = float("-inf")


class BadTokenGuard:
    """The application, which refuses addresses that send too many bad tokens."""

    def __init__(self, app: AsgiApp, counts: QuotaCounts, seconds: Callable[[], float] = monotonic) -> None:
        self._app = app
        self._counts = counts
        self._seconds = seconds
        self._known: OrderedDict[ClientAddress, _Known] = OrderedDict()

    @property
    def count(self) -> int:
        """How many addresses are remembered."""
        return len(self._known)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_refused = False

        async def watch(message: Message) -> None:
            nonlocal is_refused
            if message["type"] == "http.response.start" and _is_bad(scope, message["status"]):
                wait_seconds = await self._count(read_address(scope))
                if wait_seconds:
                    is_refused = True
                    await TOO_MANY.answer(send, {"Retry-After": str(max(1, math.ceil(wait_seconds)))})
            if not is_refused:
                await send(message)

        await self._app(scope, receive, watch)

    async def _count(self, address: ClientAddress) -> float:
        """Count a bad token; returns the seconds to wait, or zero if it was not one too many."""
        known = self._known.get(address)
        if known is None:
            known = self._known[address] = _Known(self._counts.count_bad_tokens(str(address)))
        self._known.move_to_end(address)
        while len(self._known) > ADDRESSES_MAX:
            self._known.popitem(last=False)
        wait_seconds = 0.0 if known.limit is None else await known.limit.take()
        if wait_seconds and self._seconds() - known.logged_at >= MINUTE_SECONDS:
            known.logged_at = self._seconds()
            _log.warning("too many bad tokens from %s", address)
        return wait_seconds


def read_address(scope: Scope) -> ClientAddress:
    """The address that a request comes from, as far as it tells clients apart; None if there is none."""
    try:
        address = ipaddress.ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return ipaddress.IPv6Network((int(address), NETWORK_BITS), strict=False)


def read_token(scope: Scope) -> str:
    """The token of a request; empty if it has none."""
    values = [value for name, value in scope["headers"] if name.lower() == b"authorization"]
    return read_bearer(values[0].decode("latin-1")) if values else ""


async def serve_counted(
    counts: OwnerCounts, app: AsgiApp, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a request of an owner, outside of the API: as a stream if it only listens."""
    try:
        await counts.count_request()
        if scope["method"] != "GET":
            await app(scope, receive, send)
            return
        async with counts.hold_stream():
            await app(scope, receive, send)
    except RateLimitedError as error:
        why = TOO_MANY_STREAMS if isinstance(error, TooManyStreamsError) else TOO_MANY
        told = replace(why, detail=error.message, hint=error.hint)
        await told.answer(send, {"Retry-After": str(error.retry_after)})


def _is_bad(scope: Scope, status: int) -> bool:
    return status == 401 or (status == 404 and scope["path"] in PROOF_PATHS)
