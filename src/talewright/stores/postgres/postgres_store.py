"""The PostgreSQL store: opens, creates, lists and removes the campaigns of all owners, or of one.

A store for one owner sees no campaign of another, whatever name or id it is asked for.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from asyncpg.exceptions import UniqueViolationError

from talewright.chronicle.pagination import cut_page
from talewright.chronicle.store import (
    CAMPAIGNS_PAGE_MAX,
    CampaignListing,
    ChronicleError,
    DamagedError,
    Founding,
    NameTakenError,
    StorageLimits,
    UnsavedError,
    check_campaign_name,
    is_campaign_name,
)
from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import (
    read_campaign,
    read_joined_branch,
    write_moment,
)
from talewright.stores.postgres.connection_pool import POOL_SIZE
from talewright.stores.postgres.connection_retry import (
    PATIENCE_SECONDS,
    Database,
    LostWriteError,
    Row,
)
from talewright.stores.postgres.migration_runner import SchemaPart, migrate
from talewright.stores.postgres.new_campaign_rows import make_rows
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.scoped_access import WRITES_MAX, unknown_campaign
from talewright.stores.postgres.sealing import SealingKeys
from talewright.stores.postgres.shards import ShardMap, shard_of
from talewright.stores.postgres.upkeep.key_registry import register_keys

WAITING_PAGE_MAX = 1_000
"""How many waiting inputs are listed at once."""


@frozen
class WaitingInput:
    """An accepted input whose turn has not ended."""

    owner: str
    campaign: str
    operation_id: str
    seconds: float
    """How long ago it was accepted on this host."""


@dataclass(frozen=True, slots=True)
class PostgresStore:
    """Campaigns in one or several databases."""

    shards: ShardMap
    databases: tuple[Database, ...]
    keys: SealingKeys
    owner: str | None = None
    """Whose campaigns it sees; None for an operator, who sees all."""

    limits: StorageLimits = StorageLimits()  # noqa: RUF009 - a frozen value
    """What each owner may store. New campaigns and inputs are refused beyond that; turns that were accepted
    are finished.
    """

    def for_owner(self, owner: str, limits: StorageLimits | None = None) -> "PostgresStore":
        """The same databases, as one owner sees them."""
        return replace(self, owner=owner, limits=limits or self.limits)

    async def found(self, founding: Founding) -> PostgresBook:
        """Create a campaign, completely or not at all."""
        check_campaign_name(founding.campaign)
        owner = founding.owner if self.owner is None else self.owner
        if founding.owner not in ("", owner):
            raise ChronicleError("the campaign belongs to someone else", "Log in as its owner.")
        database = self.databases[self.shards.index_of(owner)]
        rows = make_rows(replace(founding, owner=owner), uuid4(), shard_of(owner), self.keys)

        async def write(connection: Any) -> None:
            if self.limits.are_set:
                # Statements in this transaction see what was committed before they began: lock, then count.
                await connection.execute(statements.LOCK_OWNER, owner)
                stored = await connection.fetchrow(statements.STORED, owner, rows.campaign.id)
                self.limits.check_campaigns(stored["campaigns"] + 1)
                self.limits.check_bytes(stored["bytes"] + rows.bytes)
            await rows.write(connection)

        for _ in range(WRITES_MAX):
            try:
                await database.transact(write)
            except LostWriteError:
                # If it was written after all, the name is ours now.
                continue
            except UniqueViolationError:
                if not await database.fetch(statements.FOUND_BY_US, rows.campaign.id, owner):
                    raise _name_taken(founding.campaign) from None
            return PostgresBook(database, self.keys, rows.campaign, limits=self.limits)
        raise UnsavedError("the connection to the database was lost", "Check whether the campaign is there.")

    async def open(self, campaign: str) -> PostgresBook:
        """Open a campaign by its name."""
        database, row = await self._find(campaign)
        seal = self.keys.seal_for(row["id"].bytes)
        branch = read_joined_branch(row, seal, campaign)
        return PostgresBook(database, self.keys, read_campaign(row, seal), branch, self.limits)

    async def listing(self, campaign: str) -> CampaignListing:
        """One campaign as it is listed."""
        _, row = await self._find(campaign, statements.LISTED)
        return self._make_listing(row)

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        """A page of the campaigns of an owner, or of all, in the order of their names."""
        whose = self.owner if self.owner is not None else (owner or None)
        if self.owner is not None and owner not in ("", self.owner):
            return ()
        pages = await asyncio.gather(
            *(
                database.fetch(statements.LISTING, whose, after, limit)
                for database in self._databases_of(whose)
            )
        )
        listings = [self._make_listing(row) for page in pages for row in page]
        return cut_page(listings, "", after, limit)

    async def owners(self) -> tuple[str, ...]:
        """All owners with campaigns, for an operator; a store for one owner knows only that one."""
        if self.owner is not None:
            return (self.owner,)
        pages = [await database.fetch(statements.OWNERS) for database in self.databases]
        return tuple(sorted({row["owner"] for page in pages for row in page}))

    async def names(
        self, owner: str | None = None, campaign: str | None = None, since: datetime | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Owners and names of campaigns, for an operator; with `since`, only of those written since then."""
        pages = [
            await database.fetch(statements.NAMES, owner, campaign, since)
            for database in self._databases_of(owner)
        ]
        return tuple(sorted((row["owner"], row["name"]) for page in pages for row in page))

    async def list_waiting(self, age_seconds: float) -> tuple[WaitingInput, ...]:
        """The inputs of all owners that were accepted so many seconds ago and still wait, oldest first in
        each database.
        """
        pages = [
            await database.fetch(statements.WAITING_LONG, age_seconds, WAITING_PAGE_MAX)
            for database in self.databases
        ]
        return tuple(read_waiting(row) for page in pages for row in page)

    async def remove(self, campaign: str, at: str) -> str:
        """Mark a campaign as removed; its data stays until an operator deletes it."""
        database, row = await self._find(campaign)
        key: UUID = row["id"]
        for _ in range(WRITES_MAX):
            try:
                await database.write(statements.REMOVE, campaign, row["owner"], at, key)
            except LostWriteError:
                continue
            return f"removed at {at}, kept as {key}"
        raise UnsavedError("the connection to the database was lost", "Check whether the campaign is there.")

    async def close(self) -> None:
        """Close all connections."""
        for database in self.databases:
            await database.close()

    async def _find(self, campaign: str, statement: str = statements.OPEN) -> tuple[Database, Row]:
        """The row of a campaign and its database; raises UnknownCampaignError."""
        if is_campaign_name(campaign):
            found = [
                (database, row)
                for database in self._databases_of(self.owner)
                for row in await database.fetch(statement, campaign, self.owner)
            ]
            if len(found) > 1:
                raise ChronicleError(
                    f"several owners have a campaign {campaign!r}", "Say whose campaign you mean."
                )
            if found:
                return found[0]
        raise unknown_campaign(campaign)

    def _databases_of(self, owner: str | None) -> Sequence[Database]:
        return self.databases if owner is None else (self.databases[self.shards.index_of(owner)],)

    def _make_listing(self, row: Row) -> CampaignListing:
        damaged = False
        try:
            read_campaign(row, self.keys.seal_for(row["id"].bytes))
        except DamagedError:
            damaged = True
        about = json.loads(row["about"])
        recency = row["written"].timestamp(), row["name"]
        return CampaignListing(
            row["name"], about, write_moment(row["played"]), damaged, owner=row["owner"], recency=recency
        )


async def connect(
    shards: ShardMap,
    keys: SealingKeys,
    *,
    pool_size: int = POOL_SIZE,
    patience_seconds: float = PATIENCE_SECONDS,
) -> PostgresStore:
    """Connect to all databases and bring their schemas up to date.

    Raises SettingsError if a database holds shards that the configuration puts elsewhere, or was written with
    other keys: its campaigns would seem to have vanished, or to be damaged.
    """
    databases = tuple(Database(address, pool_size, patience_seconds) for address in shards.databases)
    store = PostgresStore(shards, databases, keys)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        for index, database in enumerate(databases):
            await database.open()
            await migrate(database, SchemaPart.CAMPAIGNS)
            await register_keys(database, keys)
            await _check_claims(database, shards.of_database(index))
        stack.pop_all()
    return store


async def _check_claims(database: Database, expected: frozenset[int]) -> None:
    claimed = {row["shard"] for row in await database.fetch(statements.CLAIMED_SHARDS)}
    strays = sorted(claimed - expected)
    if strays:
        raise SettingsError(
            f"a database holds the shard {strays[0]}, which the configuration puts elsewhere",
            "Restore the old assignment, or move the shard's rows first and then its row in shard_claims.",
        )


def read_waiting(row: Row) -> WaitingInput:
    """A row of the list of waiting inputs."""
    return WaitingInput(row["owner"], row["name"], row["operation"], row["seconds"])


def _name_taken(campaign: str) -> NameTakenError:
    return NameTakenError(
        f"a campaign named {campaign!r} already exists", "Choose another name, or open that one."
    )
