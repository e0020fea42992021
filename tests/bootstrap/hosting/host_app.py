"""The whole application of a node in this process: its owners and campaigns in PostgreSQL.

Its turns are taken in this process too, so that it needs no worker and no Redis.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import asyncpg
import httpx

from talewright.bootstrap.hosting.host_addresses import PublicAddress
from talewright.bootstrap.hosting.node_launcher import NodeParts, make_node_app
from talewright.chronicle.store import StorageLimits
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.hosting.owners.ended_sessions import EndedSessions
from talewright.hosting.owners.owner_accounts import OwnerAccounts
from talewright.hosting.owners.owner_directory import OwnerDirectory, prepare_owner_tables
from talewright.play.playable_games import GameLibrary
from talewright.play.serving.owner_quotas import (
    HOST_QUOTAS,
    MemoryQuotaCounts,
    OwnerQuotas,
    QuotaCounts,
)
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.shards import single_database
from tests.bootstrap.serving.whole_server import ORIGIN, PORT, run_lifespan
from tests.play.making import compiled, make_lobby
from tests.stores.postgres.stores import KEYS

PUBLIC = PublicAddress("https://play.example.org", "play.example.org")
GAME = "lantern_road"


@dataclass
class FakeClock:
    """Seconds that pass when a test says so."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class HostApp:
    """A node, and whatever opens it."""

    app: Any
    accounts: OwnerAccounts
    store: PostgresStore
    clock: FakeClock
    lobby: StoreLobby
    directory: OwnerDirectory
    heard: bool = False
    """Whether a stream has begun."""

    limits: StorageLimits = StorageLimits()  # noqa: RUF009 - a frozen value
    tokens: dict[str, str] = field(default_factory=dict)
    """By owner."""

    async def add_owner(self, label: str) -> str:
        """A new owner; returns its id."""
        owner, token = await self.accounts.add(label)
        self.tokens[owner] = token
        return owner

    def lobby_of(self, owner: str) -> StoreLobby:
        """The campaigns of an owner."""
        return replace(self.lobby, store=self.store.for_owner(owner, self.limits), news=NewsBus())

    def client(self, token: str = "", origin: str = ORIGIN, **headers: str) -> httpx.AsyncClient:
        """A client that reads each body whole."""
        given = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=origin, headers={**given, **headers})


@asynccontextmanager
async def host_app(
    database_url: str,
    public: PublicAddress | None = None,
    shelf: GameLibrary | None = None,
    quotas: OwnerQuotas = HOST_QUOTAS,
    counts: QuotaCounts | None = None,
) -> AsyncIterator[HostApp]:
    """A node on a fresh database."""
    store = await connect(single_database(database_url), KEYS)
    pool = await asyncpg.create_pool(make_asyncpg_url(database_url), min_size=0, max_size=1)
    clock = FakeClock()
    directory = OwnerDirectory(store.databases[0], store.keys, seconds=clock)
    await prepare_owner_tables(store.databases[0])
    lobby = make_lobby(compiled(GAME), language="en")
    lobby = lobby if shelf is None else replace(lobby, shelf=shelf)
    host = HostApp(None, OwnerAccounts(pool), store, clock, lobby, directory, limits=quotas.storage)
    ended = EndedSessions(store.databases[0], seconds=clock)
    counts = counts or MemoryQuotaCounts(quotas, clock)
    parts = NodeParts(host.lobby_of, directory, ended, lambda _: lobby.shelf.games(), counts)
    host.app, _ = make_node_app(parts, PORT, public, clock)
    try:
        async with run_lifespan(host.app):
            yield host
    finally:
        pool.terminate()
        await store.close()
