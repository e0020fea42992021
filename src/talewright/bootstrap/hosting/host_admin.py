"""Host administration: owners, what they spend and store, stuck turns, workers and verified campaigns.

The operator of a host needs the address of the database; only verification needs the sealing keys too.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import asyncpg

from talewright.bootstrap import open_game_library
from talewright.bootstrap.hosting.host_addresses import find_system_url, require_setting
from talewright.bootstrap.hosting.host_transfer import open_host_store
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.hosting.operations.host_workers import HostWorkers
from talewright.hosting.operations.stuck_turns import StuckTurns
from talewright.hosting.owners.owner_accounts import (
    OwnerAccount,
    OwnerAccounts,
    OwnerLimits,
    OwnerPool,
    UnknownOwnerError,
)
from talewright.play.history.campaign_history import Progress, keep_quiet
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import find_secret
from talewright.play.verify.verification_report import VerificationReport
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.scoped_access import unknown_campaign
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards
from talewright.stores.postgres.statements import STORED_BY_OWNERS

CONNECT_SECONDS_MAX = 5.0
COMMAND_SECONDS_MAX = 30.0
POOL_SIZE = 2

_AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError)
"""Errors while connecting: no server, no database, no access, or no address."""


class UnreachableDatabaseError(TalewrightError):
    """The database of the host does not answer, or refuses the connection."""


@frozen
class VerifiedCampaign:
    """A campaign on a host, and the result of its verification."""

    owner: str
    campaign: str
    report: VerificationReport


@frozen
class StoredAmount:
    """What an owner stores."""

    campaigns: int = 0
    """Removed ones are not included."""

    bytes: int = 0
    """Of records and snapshots, in removed campaigns too."""


@dataclass(frozen=True, slots=True)
class HostAdmin:
    """The operator's actions."""

    environment: Mapping[str, str]
    accounts: OwnerAccounts
    stuck: StuckTurns
    workers: HostWorkers

    async def list_owners(self) -> tuple[OwnerAccount, ...]:
        """All owners."""
        found: list[OwnerAccount] = []
        while page := await self.accounts.list(found[-1].id if found else ""):
            found += page
        return tuple(found)

    async def measure_owners(self) -> Mapping[str, StoredAmount]:
        """What each owner stores, in whichever database; owners without campaigns are missing."""
        found: dict[str, StoredAmount] = {}
        for url in parse_shards(require_setting(self.environment, DATABASE_URL)).databases:
            async with _connect(url) as pool, pool.acquire() as connection, connection.transaction():
                await migrate_connection(connection, SchemaPart.CAMPAIGNS)
                rows = await connection.fetch(STORED_BY_OWNERS)
            found |= {row["owner"]: StoredAmount(row["campaigns"], row["bytes"]) for row in rows}
        return found

    async def add_owner(
        self, label: str, dollars: float | None = None, tokens: int | None = None
    ) -> tuple[str, str]:
        """Add an owner; returns id and token."""
        return await self.accounts.add(label, OwnerLimits(dollars, tokens))

    async def change_limits(self, owner: str, **changed: Any) -> OwnerLimits:
        """Change the given limits of an owner, and return all of them."""
        known = next((one.limits for one in await self.list_owners() if one.id == owner), None)
        if known is None:
            raise UnknownOwnerError
        limits = replace(known, **changed)
        await self.accounts.set_limits(owner, limits)
        return limits

    async def verify(
        self, owner: str = "", campaign: str = "", progress: Progress = keep_quiet
    ) -> AsyncIterator[VerifiedCampaign]:
        """Verify all campaigns, or only those of one owner or with one name."""
        library, found = open_game_library(), False
        async with open_host_store(self.environment) as store:
            for whose in (owner,) if owner else await store.owners():
                scoped = store.for_owner(whose)
                for name in await _list_names(scoped, campaign, must=bool(owner)):
                    book = await scoped.open(name)
                    try:
                        secret = await find_secret(book)
                        report = await verify(book, editions=library, secret=secret, progress=progress)
                    finally:
                        await book.close()
                    found = True
                    yield VerifiedCampaign(whose, name, report)
        if campaign and not found:
            raise unknown_campaign(campaign)


@asynccontextmanager
async def open_host_admin(environment: Mapping[str, str]) -> AsyncIterator[HostAdmin]:
    """Connect to the database with owners and turns: the first one, if there are several."""
    url = find_system_url(environment)
    async with _connect(url) as pool:
        yield HostAdmin(environment, OwnerAccounts(pool), StuckTurns(url, pool), HostWorkers(pool))


@asynccontextmanager
async def _connect(url: str) -> AsyncIterator[OwnerPool]:
    """Connections to one database."""
    try:
        pool = await asyncpg.create_pool(
            make_asyncpg_url(url),
            min_size=1,
            max_size=POOL_SIZE,
            timeout=CONNECT_SECONDS_MAX,
            command_timeout=COMMAND_SECONDS_MAX,
        )
    except _AWAY as error:
        # The error text may contain the address, and with it a password.
        raise UnreachableDatabaseError(
            f"the database cannot be reached ({type(error).__name__})",
            f"Check that PostgreSQL is running and that {DATABASE_URL} names the right server, user and "
            "database.",
        ) from None
    try:
        yield pool
    finally:
        pool.terminate()


async def _list_names(store: PostgresStore, campaign: str, *, must: bool) -> list[str]:
    """The names of an owner's campaigns. With a name, only that one; with `must`, even if it is missing."""
    if campaign and must:
        return [campaign]
    names: list[str] = []
    while page := await store.campaigns(after=names[-1] if names else ""):
        names += [one.campaign for one in page]
    return [name for name in names if not campaign or name == campaign]
