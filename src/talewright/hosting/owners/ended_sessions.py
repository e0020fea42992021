"""Ended sessions: the browser logins that owners have ended, in PostgreSQL, for all nodes of a host.

A node caches that a session has not ended for a few seconds, so most requests need no database query.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from talewright.chronicle.store import UnsavedError
from talewright.hosting.owners import owner_tables
from talewright.stores.postgres.connection_retry import Database, LostWriteError
from talewright.stores.postgres.scoped_access import WRITES_MAX

KNOWN_SECONDS = 5.0
"""How long a node remembers that a session has not ended."""

KNOWN_MAX = 10_000
"""How many such sessions are remembered."""


class EndedSessions:
    """The ended sessions of a host; `SpentIds` of the browser login."""

    def __init__(
        self,
        database: Database,
        *,
        known_seconds: float = KNOWN_SECONDS,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._known_seconds = known_seconds
        self._seconds = seconds
        self._open: OrderedDict[str, float] = OrderedDict()
        """Sessions that had not ended, and until when that is believed."""

    async def spend(self, spent_id: str, until: float, now: float) -> bool:
        """End a session; False if it was ended before."""
        self._open.pop(spent_id, None)
        for _ in range(WRITES_MAX):
            with suppress(LostWriteError):
                return bool(await self._database.write(owner_tables.END_SESSION, spent_id, until, now))
        raise UnsavedError("the connection to the database was lost", "Log out again.")

    async def is_spent(self, spent_id: str, until: float) -> bool:
        """Whether a session was ended."""
        if self._open.get(spent_id, 0.0) > self._seconds():
            return False
        if await self._database.fetch(owner_tables.FIND_ENDED_SESSION, spent_id):
            return True
        self._open[spent_id] = self._seconds() + self._known_seconds
        self._open.move_to_end(spent_id)
        while len(self._open) > KNOWN_MAX:
            self._open.popitem(last=False)
        return False
