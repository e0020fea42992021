"""PostgreSQL stores for tests: fresh databases on the server of all tests, each with the schema ready."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count

from talewright.chronicle.store import Store
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import SealingKeys, parse_keys
from talewright.stores.postgres.shards import single_database
from talewright_testkit.servers.postgres_server import PostgresServer

KEYS = parse_keys("k1:" + "A" * 43 + "=")
"""A key of zeros."""


_owners = count(1)


class FreshStores:
    """Creates stores, and closes them all at the end."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._owner: str | None = None
        self._name = ""
        self._alone: list[str] = []
        self._stores: list[PostgresStore] = []

    async def make(self) -> Store:
        """A store of a new owner, on a database that tests share: they must not see each other."""
        self._name, self._owner = await find_shared(self._server), f"owner {next(_owners)}"
        return await self.reopen()

    async def make_alone(self) -> PostgresStore:
        """A store that sees all owners, on a new database."""
        self._name, self._owner = self._server.create_database(), None
        self._alone.append(self._name)
        return await self.reopen()

    async def reopen(self, keys: SealingKeys = KEYS) -> PostgresStore:
        """Another store on the last database, of the same owner."""
        store = await connect(single_database(self.url), keys)
        self._stores.append(store)
        return store if self._owner is None else store.for_owner(self._owner)

    @property
    def name(self) -> str:
        """The name of the last database."""
        return self._name

    @property
    def url(self) -> str:
        """The address of the last database."""
        return self._server.url(self.name)

    @property
    def server(self) -> PostgresServer:
        """The server."""
        return self._server

    async def close(self) -> None:
        """Close all stores and drop the databases that are not shared."""
        for store in self._stores:
            await store.close()
        for name in self._alone:
            self._server.drop_database(name)


_shared: dict[int, str] = {}


async def find_shared(server: PostgresServer) -> str:
    """The database that tests share."""
    if server.pid not in _shared:
        _shared[server.pid] = server.create_database()
    return _shared[server.pid]


@asynccontextmanager
async def fresh_stores(server: PostgresServer) -> AsyncIterator[FreshStores]:
    """Stores for one test."""
    stores = FreshStores(server)
    try:
        yield stores
    finally:
        await stores.close()


def run_with(server: PostgresServer, work: Callable[[FreshStores], Awaitable[None]]) -> None:
    """Run an asynchronous test."""

    async def run() -> None:
        async with fresh_stores(server) as stores:
            await work(stores)

    asyncio.run(run())
