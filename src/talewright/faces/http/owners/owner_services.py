"""Owner services: created when an owner sends a request, kept for a while, then closed.

They are a cache: everything is in the record, and turns are taken elsewhere. Unused services are closed, so a
process holds no more than it needs, however many owners there are.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from talewright.faces.http.api_services import ApiServices
from talewright.play.serving.owner_lookup import OwnerIdentity

IDLE_OWNERS_MAX = 256
"""How many idle owners' services are kept; the least recently used are closed first."""

IDLE_SECONDS_MAX = 300.0
"""How long they are kept."""


@dataclass(slots=True)
class _Held:
    services: ApiServices
    users: int = 0
    idle_since: float = 0.0


class OwnerServices:
    """The services of the owners this process is serving now."""

    def __init__(
        self,
        make: Callable[[OwnerIdentity], ApiServices],
        *,
        idle_max: int = IDLE_OWNERS_MAX,
        idle_seconds: float = IDLE_SECONDS_MAX,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._make = make
        self._idle_max = idle_max
        self._idle_seconds = idle_seconds
        self._seconds = seconds
        self._used: dict[OwnerIdentity, _Held] = {}
        self._idle: OrderedDict[OwnerIdentity, _Held] = OrderedDict()
        """Idle ones, the least recently used first."""

        self._closings: set[asyncio.Task[None]] = set()

    @property
    def count(self) -> int:
        """How many owners have services here."""
        return len(self._used) + len(self._idle)

    @asynccontextmanager
    async def use(self, owner: OwnerIdentity) -> AsyncIterator[ApiServices]:
        """The services of an owner, for one request."""
        held = self._used.get(owner) or self._idle.pop(owner, None) or _Held(self._make(owner))
        self._used[owner] = held
        held.users += 1
        try:
            yield held.services
        finally:
            held.users -= 1
            if not held.users:
                del self._used[owner]
                held.idle_since = self._seconds()
                self._idle[owner] = held
            self._close_surplus()

    async def close(self) -> None:
        """Close all services."""
        for held in (*self._used.values(), *self._idle.values()):
            self._close(held)
        self._idle.clear()
        if self._closings:
            await asyncio.wait(self._closings)

    def _close_surplus(self) -> None:
        oldest = self._seconds() - self._idle_seconds
        while self._idle:
            owner, held = next(iter(self._idle.items()))
            if len(self._idle) <= self._idle_max and held.idle_since > oldest:
                return
            del self._idle[owner]
            self._close(held)

    def _close(self, held: _Held) -> None:
        closing = asyncio.create_task(held.services.close())
        self._closings.add(closing)
        closing.add_done_callback(self._closings.discard)
