"""Host transfer: an operator pushes a campaign from a folder to the database of a host, or pulls it back.

An owner gets the dice secret only once the campaign is closed on the host; an operator always gets it.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from talewright.bootstrap import open_store, utc_now
from talewright.bootstrap.hosting.host_addresses import require_setting
from talewright.chronicle.store import Store
from talewright.hosting.owners import owner_tables
from talewright.hosting.owners.owner_accounts import pick_owner
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.play.transfer.campaign_transfer import (
    TransferredCampaign,
    TransferReport,
    found_transferred,
    has_older_copy,
    read_for_transfer,
)
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import SEALING_KEYS, parse_keys
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards


@asynccontextmanager
async def open_host_store(environment: Mapping[str, str]) -> AsyncIterator[PostgresStore]:
    """The store of a host as its operator sees it, closed at the end; raises SettingsError."""
    shards = parse_shards(require_setting(environment, DATABASE_URL))
    keys = parse_keys(require_setting(environment, SEALING_KEYS))
    store = await connect(shards, keys)
    try:
        yield store
    finally:
        await store.close()


async def find_owner(store: PostgresStore, start: str, *, has_left: bool = False) -> str:
    """The owner whose id begins like this; with `has_left`, also one who was removed but left campaigns.

    Raises UnknownOwnerError or AmbiguousOwnerError.
    """
    accounts = store.databases[0]
    await prepare_owner_tables(accounts)
    ids = [row["id"] for row in await accounts.fetch(owner_tables.MATCH_OWNERS, start)]
    return pick_owner(start, [*ids, *(await store.owners() if has_left else ())])


async def push_campaign(home: Store, host: PostgresStore, campaign: str, name: str) -> TransferReport:
    """Copy a campaign to a host, with its dice secret; the local copy does not change."""
    sent = await read_for_transfer(home, campaign, with_secret=True)
    return await _found(host, name, sent)


async def pull_campaign(
    host: PostgresStore, home: Store, campaign: str, name: str, *, as_operator: bool, close: bool = False
) -> TransferReport:
    """Copy a campaign from a host; with `close`, it can then be played locally but no longer on the host.

    `host` is the store of the campaign's owner. Without its secret a copy can be read, verified and exported,
    but no dice can be rolled. An older local copy of the same campaign goes to the bin; if any other campaign
    has the name, this raises NameTakenError and closes nothing.
    """
    book = await host.open(campaign)
    older = await has_older_copy(home, name, [line async for line in book.lines()])
    if close:
        await book.close_campaign(utc_now())
    closed = await book.closed_at() is not None
    sent = await read_for_transfer(host, campaign, with_secret=closed or as_operator)
    if older:
        await home.remove(name, utc_now())
    report = await _found(home, name, sent)
    return TransferReport(report.end, report.with_secret, closed)


async def _found(target: Store, name: str, sent: TransferredCampaign) -> TransferReport:
    book = await found_transferred(target, name, sent)
    try:
        return TransferReport(await book.chain(), bool(sent.secret))
    finally:
        await book.close()


async def push_from_folder(
    saves: Path | None, environment: Mapping[str, str], campaign: str, owner: str, name: str
) -> TransferReport:
    """Push a campaign from this machine, as the operator of a host; the owner must have an account."""
    async with open_host_store(environment) as host:
        whose = host.for_owner(await find_owner(host, owner))
        return await push_campaign(open_store(saves), whose, campaign, name)


async def pull_to_folder(
    saves: Path | None,
    environment: Mapping[str, str],
    campaign: str,
    owner: str,
    name: str,
    *,
    as_operator: bool,
    close: bool,
) -> TransferReport:
    """Pull a campaign to this machine, as the operator of a host or as its owner would."""
    async with open_host_store(environment) as host:
        whose = host.for_owner(await find_owner(host, owner, has_left=True))
        home = open_store(saves)
        return await pull_campaign(whose, home, campaign, name, as_operator=as_operator, close=close)
