"""Owner quotas: how much one owner may store on a server, and how often and how long each may keep it busy.

Bad tokens are counted by the address that they come from. A server for one person counts in memory; a host
counts for all its nodes (`hosting/limits/shared_quotas.py`). Stores refuse campaigns that no longer fit.
"""

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import field, fields, replace
from time import monotonic
from typing import Protocol

from talewright.chronicle.store import StorageLimits
from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError, TalewrightError

QUOTAS = "TALEWRIGHT_QUOTAS"
"""The variable with the quotas that differ from the defaults, such as `campaigns=200, requests=none`."""

UNLIMITED = "none"
MINUTE_SECONDS = 60.0
STREAM_RETRY_SECONDS = 10.0
"""When to ask again for a stream: nobody knows when another one ends."""


@frozen
class OwnerQuotas:
    """What one owner may use; None for no limit. The names of the fields are those of the setting."""

    campaigns: int | None = None
    """Campaigns that can be played, removed ones not included."""

    bytes: int | None = None
    """Stored for all campaigns together."""

    streams: int | None = 200
    """Event streams that are open at the same time."""

    imports: int | None = 60
    """Imports of campaigns and scenarios in a minute."""

    requests: int | None = 6_000
    """Requests in a minute, with whatever token of the owner."""

    bad_tokens: int | None = 60
    """Requests without a valid token, and failed logins, in a minute from one address."""

    @property
    def storage(self) -> StorageLimits:
        """What the owner's store allows."""
        return StorageLimits(self.campaigns, self.bytes)


LOCAL_QUOTAS = OwnerQuotas()
"""For one person on one machine, whose disk is their own."""

HOST_QUOTAS = OwnerQuotas(campaigns=1_000, bytes=2_000_000_000)


def read_quotas(text: str, usual: OwnerQuotas) -> OwnerQuotas:
    """The usual quotas with those that a setting changes. Raises SettingsError."""
    known = [one.name for one in fields(OwnerQuotas)]
    changed: dict[str, int | None] = {}
    for pair in text.replace(",", " ").split():
        name, _, value = pair.partition("=")
        is_number = value.isascii() and value.isdigit() and int(value[:19]) > 0 and len(value) < 19
        if name not in known or not (is_number or value == UNLIMITED):
            raise SettingsError(
                f"{QUOTAS} contains {pair[:80]!r}, which is not a quota",
                f"Write it like campaigns=200 or campaigns={UNLIMITED}. There are: {', '.join(known)}.",
            )
        changed[name] = int(value) if is_number else None
    return replace(usual, **changed)


UPLOADS_AT_ONCE = 2
"""Files of one owner that a process receives at the same time."""

UPLOAD_RETRY_SECONDS = 5.0


class RateLimitedError(TalewrightError):
    """Too much was asked for in a minute."""

    def __init__(self, message: str, hint: str, retry_seconds: float) -> None:
        super().__init__(message, hint)
        self.retry_after = max(1, math.ceil(retry_seconds))
        """When to try again, in seconds."""


class TooManyStreamsError(RateLimitedError):
    """The owner has too many open event streams."""


class RateLimit(Protocol):
    """So many in a minute."""

    async def take(self) -> float:
        """Count one; returns the seconds to wait before it may happen, or zero if it may happen now."""


class StreamLimit(Protocol):
    """So many at the same time."""

    def hold_now(self) -> AbstractAsyncContextManager[bool]:
        """Hold a slot, if one is free; says whether it is held."""


class QuotaCounts(Protocol):
    """Makes whatever counts."""

    def count_owner(self, owner: str) -> "OwnerCounts":
        """The counts of an owner."""

    def count_bad_tokens(self, address: str) -> RateLimit | None:
        """The bad tokens from an address; None if they are not limited."""


@frozen
class OwnerCounts:
    """What an owner does, counted. Without a limit, nothing is refused."""

    requests: RateLimit | None = None
    imports: RateLimit | None = None
    streams: StreamLimit | None = None
    uploads: StreamLimit = field(default_factory=lambda: MemoryStreamLimit(UPLOADS_AT_ONCE))
    """Files that this process is receiving; they are in its memory."""

    async def count_request(self) -> None:
        """Count a request. Raises RateLimitedError."""
        wait_seconds = 0.0 if self.requests is None else await self.requests.take()
        if wait_seconds:
            raise RateLimitedError(
                "you have sent too many requests in the last minute",
                "Wait as long as the header Retry-After says, and send fewer.",
                wait_seconds,
            )

    async def count_import(self) -> None:
        """Count an import. Raises RateLimitedError."""
        wait_seconds = 0.0 if self.imports is None else await self.imports.take()
        if wait_seconds:
            raise RateLimitedError(
                "you have imported too much in the last minute",
                "Wait as long as the header Retry-After says, then import the rest.",
                wait_seconds,
            )

    async def receive_file(self, receive: Callable[[], Awaitable[bytes]]) -> bytes:
        """Count an import, then receive its file. Raises RateLimitedError."""
        async with self.uploads.hold_now() as is_held:
            if not is_held:
                raise RateLimitedError(
                    "you are sending too many files at once",
                    "Wait until one of them has arrived, then send this one again.",
                    UPLOAD_RETRY_SECONDS,
                )
            await self.count_import()
            return await receive()

    @asynccontextmanager
    async def hold_stream(self) -> AsyncIterator[None]:
        """Count a stream while it is open. Raises TooManyStreamsError."""
        if self.streams is None:
            yield
            return
        async with self.streams.hold_now() as is_held:
            if not is_held:
                raise TooManyStreamsError(
                    "you have too many open event streams",
                    "Close one that you no longer need, then open this one again.",
                    STREAM_RETRY_SECONDS,
                )
            yield


class MemoryRateLimit:
    """So many in a minute: all of them at once after a pause, then evenly. A RateLimit of one process."""

    def __init__(self, per_minute: float, seconds: Callable[[], float] = monotonic) -> None:
        self._step = MINUTE_SECONDS / per_minute
        self._seconds = seconds
        self._due = float("-inf")
        """When the next one is due, if they come evenly."""

    async def take(self) -> float:
        """Count one, or return the seconds to wait."""
        now = self._seconds()
        # A whole minute's worth may be behind.
        due = max(self._due, now - MINUTE_SECONDS + self._step)
        if due > now:
            return due - now
        self._due = due + self._step
        return 0.0


class MemoryStreamLimit:
    """So many streams or uploads at the same time; a StreamLimit of one process."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._held = 0

    @asynccontextmanager
    async def hold_now(self) -> AsyncIterator[bool]:
        """Hold a slot, if one is free."""
        is_free = self._held < self._at_once
        self._held += is_free
        try:
            yield is_free
        finally:
            self._held -= is_free


class MemoryQuotaCounts:
    """Counts in this process; a QuotaCounts."""

    def __init__(self, quotas: OwnerQuotas, seconds: Callable[[], float] = monotonic) -> None:
        self._quotas = quotas
        self._seconds = seconds

    def count_owner(self, owner: str) -> OwnerCounts:
        """The counts of an owner."""
        quotas = self._quotas
        streams = None if quotas.streams is None else MemoryStreamLimit(quotas.streams)
        return OwnerCounts(self._limit(quotas.requests), self._limit(quotas.imports), streams)

    def count_bad_tokens(self, address: str) -> RateLimit | None:
        """The bad tokens from an address."""
        return self._limit(self._quotas.bad_tokens)

    def _limit(self, per_minute: int | None) -> RateLimit | None:
        return None if per_minute is None else MemoryRateLimit(per_minute, self._seconds)
