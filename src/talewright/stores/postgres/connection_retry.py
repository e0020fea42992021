"""Retries while PostgreSQL is unreachable: how long a call waits for the server, and what it then reports.

Reads are repeated while the server is briefly unreachable; writes are not: they report that their outcome is
unknown. The answer to a statement is read to its end, even if nobody waits for it any more, so that a
cancelled caller never leaves a half-read connection.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from asyncpg import exceptions

from talewright.chronicle.store import StoreAwayError, UnfitNameError
from talewright.stores.postgres.connection_pool import POOL_SIZE, ConnectionPool, PreparedConnection

T = TypeVar("T")
Row: TypeAlias = Any
"""One row, by column name."""

PATIENCE_SECONDS = 20.0
"""How long a call waits for a server to restart."""

PAUSE_SECONDS = (0.02, 0.05, 0.1, 0.25, 0.5)
"""The pauses between two attempts; the last one repeats."""

FINISH_SECONDS_MAX = 10.0
"""How long closing a pool waits for running work."""

_AWAY = (
    OSError,
    TimeoutError,
    exceptions.PostgresConnectionError,
    exceptions.AdminShutdownError,
    exceptions.CrashShutdownError,
    exceptions.CannotConnectNowError,
    exceptions.TooManyConnectionsError,
    exceptions.InterfaceError,
    exceptions.InvalidCachedStatementError,
    exceptions.InternalClientError,
)
"""Errors that mean that the server is unreachable or the connection was lost, not that a statement is wrong.
"""


class LostWriteError(Exception):
    """The connection was lost during a write: whether it was written must be looked up."""


@dataclass(slots=True)
class StatementCounts:
    """What was sent to a database since it was opened, for tests and benchmarks."""

    statements: int = 0
    """Statements, including those in transactions."""

    writes: int = 0
    """How many of them write."""


class Database:
    """One database and its pool."""

    def __init__(self, address: str, size: int = POOL_SIZE, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self.pool = ConnectionPool(address, size)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.counts = StatementCounts()

    async def open(self) -> None:
        """Connect; raises StoreAwayError if the server stays unreachable."""
        await self._finish(self._patiently(self._ping))

    async def close(self) -> None:
        """Wait for running work, and close all connections."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_SECONDS_MAX)
        with suppress(*_AWAY, exceptions.PostgresError):
            await self.pool.close()

    async def fetch(self, statement: str, *values: object) -> Sequence[Row]:
        """Run a statement that only reads; it is repeated while the server is unreachable."""

        async def read(taken: PreparedConnection) -> Sequence[Row]:
            self.counts.statements += 1
            return await taken.fetch(statement, values)

        return await self._finish(self._patiently(read))

    async def write(self, statement: str, *values: object) -> Sequence[Row]:
        """Run one writing statement as its own transaction; raises LostWriteError if the outcome is open."""

        async def send(taken: PreparedConnection) -> Sequence[Row]:
            self.counts.statements += 1
            self.counts.writes += 1
            try:
                return await taken.fetch(statement, values)
            except _AWAY as error:
                raise LostWriteError from error

        return await self._finish(self._patiently(send))

    async def transact(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Run several statements as one transaction; raises LostWriteError if its outcome is unknown."""

        async def send(taken: PreparedConnection) -> T:
            try:
                async with taken.connection.transaction():
                    return await work(taken.connection)
            except _AWAY as error:
                raise LostWriteError from error

        return await self._finish(self._patiently(send))

    async def run_to_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Run several calls to their end, even if the caller is cancelled."""
        return await self._finish(work)

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        if asyncio.current_task() in self._tasks:
            # This already runs within work that cannot be cancelled.
            return await work
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # An error nobody waits for any more is not worth a warning.
            task.exception()

    async def _patiently(self, work: Callable[[PreparedConnection], Awaitable[T]]) -> T:
        """Run work on a connection; if the server is unreachable, try again for a limited time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        tries = 0
        while True:
            try:
                return await self._use(work)
            except _AWAY as error:
                if loop.time() >= until:
                    raise StoreAwayError(
                        "the database cannot be reached", "Try again in a moment; nothing was lost."
                    ) from error
            except exceptions.DataError as error:
                raise UnfitNameError(
                    "a name or id has a character that cannot be stored", "Use letters, digits and signs."
                ) from error
            except (exceptions.DiskFullError, exceptions.ReadOnlySQLTransactionError) as error:
                raise StoreAwayError(
                    "the database takes no more data", "Nothing was lost; the operator must make room."
                ) from error
            await asyncio.sleep(PAUSE_SECONDS[min(tries, len(PAUSE_SECONDS) - 1)])
            tries += 1

    async def _use(self, work: Callable[[PreparedConnection], Awaitable[T]]) -> T:
        """Run work on a connection; a connection that was interrupted is never used again."""
        taken = await self.pool.take()
        finished = False
        try:
            found = await work(taken)
            finished = True
        except exceptions.PostgresError:
            # The server has answered: the connection is ready for the next statement.
            finished = True
            raise
        finally:
            if finished:
                self.pool.give_back(taken)
            else:
                self.pool.discard(taken)
        return found

    async def _ping(self, taken: PreparedConnection) -> None:
        await taken.fetch("select 1", ())
