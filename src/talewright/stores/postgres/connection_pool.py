"""The pool of connections to one database: a limited number, opened when they are needed.

A connection belongs to one caller at a time. Every statement is prepared once per connection. asyncpg's own
pool can be cancelled at any moment, which costs it a task for each use.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any

import asyncpg

POOL_SIZE = 10
"""Connections of one process to one database."""

CONNECT_SECONDS_MAX = 5.0
COMMAND_SECONDS_MAX = 60.0
"""How long one statement may take."""

CLOSE_SECONDS_MAX = 10.0
"""How long closing one connection may take."""


class PreparedConnection:
    """One connection and its prepared statements."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._prepared: dict[str, Any] = {}

    async def fetch(self, statement: str, values: Sequence[object]) -> Sequence[Any]:
        """Run a statement, and return its rows."""
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = await self.connection.prepare(statement)
            self._prepared[statement] = prepared
        rows: Sequence[Any] = await prepared.fetch(*values)
        return rows


class ConnectionPool:
    """A limited number of connections; the one used last is used next."""

    def __init__(self, address: str, size: int) -> None:
        self._address = address
        self._free = size
        """How many more may be opened."""

        self._size = size
        self._idle: list[PreparedConnection] = []
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed = False

    @property
    def used(self) -> int:
        """How many connections are in use."""
        return self._size - self._free - len(self._idle)

    @property
    def size(self) -> int:
        """How many connections it may open."""
        return self._size

    @property
    def waiting(self) -> int:
        """How many callers wait for a connection."""
        return sum(not turn.done() for turn in self._waiting)

    @property
    def idle(self) -> int:
        """How many open connections are not in use."""
        return len(self._idle)

    async def take(self) -> PreparedConnection:
        """A connection for the caller alone, which must always give it back."""
        while not self._idle:
            if self._free:
                return await self._connect()
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        return self._idle.pop()

    def give_back(self, taken: PreparedConnection) -> None:
        """Return a connection; one that was lost makes room for another."""
        if self._closed or taken.connection.is_closed():
            taken.connection.terminate()
            self._free += 1
        else:
            self._idle.append(taken)
        self._wake()

    def discard(self, taken: PreparedConnection) -> None:
        """Give back a connection that must not be used again."""
        taken.connection.terminate()
        self.give_back(taken)

    async def close(self) -> None:
        """Close idle connections; those in use are closed when they are given back."""
        self._closed = True
        while self._idle:
            connection = self._idle.pop().connection
            self._free += 1
            await connection.close(timeout=CLOSE_SECONDS_MAX)

    async def _connect(self) -> PreparedConnection:
        self._free -= 1
        connected = False
        try:
            connection = await asyncpg.connect(
                self._address, timeout=CONNECT_SECONDS_MAX, command_timeout=COMMAND_SECONDS_MAX
            )
            connected = True
        finally:
            if not connected:
                self._free += 1
                self._wake()
        return PreparedConnection(connection)

    def _wake(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
