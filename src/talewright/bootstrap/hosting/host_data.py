"""The data of owners on a host: an operator lists what is stored, exports it, and deletes it completely.

Deleting needs no sealing keys. Only an export reads what players wrote.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError

from talewright.bootstrap import open_store
from talewright.bootstrap.hosting.host_addresses import REDIS_URL, require_setting
from talewright.bootstrap.hosting.host_admin import connect_database, log_action
from talewright.bootstrap.hosting.host_transfer import open_host_store
from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX, Store, UnknownCampaignError
from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError, TalewrightError
from talewright.hosting.news.redis_stream_reader import connect_redis
from talewright.hosting.operations.campaign_traces import CampaignTraces, TraceScope, delete_streams
from talewright.hosting.owners.owner_accounts import OwnerAccounts, UnknownOwnerError, pick_owner
from talewright.hosting.owners.owner_directory import KNOWN_SECONDS
from talewright.play.transfer.campaign_transfer import found_transferred, read_book
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.scoped_access import unknown_campaign
from talewright.stores.postgres.shards import DATABASE_URL, ShardMap, parse_shards
from talewright.stores.postgres.upkeep.stored_campaigns import (
    StoredCampaign,
    delete_stored,
    hide_stored,
    list_commits,
    list_stored,
    open_stored,
)

TOKEN_SECONDS = KNOWN_SECONDS + 1.0
"""How long nodes may still accept the token of an owner who is deleted."""

ACCOUNT_FILE = "owner.json"
SAVES_FOLDER = "saves"
TOKEN_HASH = "token_hash"
"""The only column of an account that an export leaves out."""

ID_DIGITS = 8
"""How many digits of its id tell a removed campaign apart from others of its name."""


@frozen
class PurgeReport:
    """What was deleted."""

    campaigns: tuple[StoredCampaign, ...]
    workflows: int
    """Turns and background work in DBOS's tables."""

    has_streams: bool
    """Whether the events in Redis were deleted too; otherwise they expire within an hour."""

    running: int = 0
    """Turns that a worker did not stop in time; what they still write must be deleted once more."""

    @property
    def bytes(self) -> int:
        """Of all their records and snapshots."""
        return sum(one.bytes for one in self.campaigns)


@frozen
class ExportReport:
    """What was exported."""

    campaigns: Mapping[str, StoredCampaign]
    """By the names of their saves."""

    failed: Mapping[str, str]
    """Campaigns that could not be read, and why."""


class HostData:
    """What is stored of owners and campaigns in all databases of a host."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._shards: ShardMap = parse_shards(require_setting(environment, DATABASE_URL))

    async def list(self, owner: str | None = None) -> tuple[StoredCampaign, ...]:
        """All campaigns of an owner, or of all owners if that is None, removed ones included."""
        urls = self._shards.databases if owner is None else [self._find_url(owner)]
        found: list[StoredCampaign] = []
        for url in urls:
            async with connect_database(url) as pool, pool.acquire() as connection, connection.transaction():
                await migrate_connection(connection, SchemaPart.CAMPAIGNS)
                found += await list_stored(connection, owner)
        return tuple(sorted(found, key=lambda one: (one.owner, one.name, one.removed is not None)))

    async def find_owner(self, start: str) -> str:
        """The owner whose id begins like this, also one who was removed but left campaigns. What nobody's id
        begins like is returned as it is. Raises AmbiguousOwnerError, and UnknownOwnerError for an empty id.
        """
        if not start:
            raise UnknownOwnerError
        async with connect_database(self._shards.databases[0]) as pool:
            accounts = await OwnerAccounts(pool).match(start)
        try:
            return pick_owner(start, [*accounts, *(one.owner for one in await self.list())])
        except UnknownOwnerError:
            return start

    async def list_owned(self, owner: str) -> tuple[StoredCampaign, ...]:
        """All campaigns of an owner; raises UnknownOwnerError if nothing at all is stored of one."""
        if not owner:
            raise UnknownOwnerError
        stored = await self.list(owner)
        if not stored and await self._read_account(owner) is None:
            if not await self._list_workflows(TraceScope(owner)):
                raise UnknownOwnerError
        return stored

    async def find(self, campaign: str, owner: str | None = None) -> StoredCampaign:
        """A campaign by its id, or by its owner and its name if it was not removed; raises
        UnknownCampaignError.
        """
        for one in await self.list(owner):
            is_named = owner is not None and one.name == campaign and one.removed is None
            if is_named or str(one.id) == campaign:
                return one
        raise unknown_campaign(campaign)

    async def purge_campaign(self, campaign: str, owner: str | None = None) -> PurgeReport:
        """Delete a campaign and everything that is stored of it; raises UnknownCampaignError.

        If the campaign is gone and a worker has stored something of it since, that is deleted.
        """
        try:
            found = await self.find(campaign, owner)
        except UnknownCampaignError:
            if not owner or not campaign:
                raise
            scope = TraceScope(owner, campaign)
            if not await self._list_workflows(scope):
                raise
            return await self._purge("purge_campaign", scope, [])
        scope = TraceScope(found.owner, found.name)
        if any(_is_namesake(found, one) for one in await self.list(found.owner)):
            async with connect_database(self._find_url(found.owner)) as pool:
                scope = replace(scope, commits=tuple(await list_commits(pool, found)))
        return await self._purge("purge_campaign", scope, [found])

    async def purge_owner(self, owner: str, token_seconds: float = TOKEN_SECONDS) -> PurgeReport:
        """Delete an owner with all campaigns; raises UnknownOwnerError if nothing is stored of one."""
        await self.list_owned(owner)
        with suppress(UnknownOwnerError):
            async with connect_database(self._shards.databases[0]) as pool:
                await OwnerAccounts(pool).remove(owner)
            # Until then, a node that knows the token may still start a campaign.
            await asyncio.sleep(token_seconds)
        return await self._purge("purge_owner", TraceScope(owner), await self.list(owner))

    async def export_owner(self, owner: str, folder: Path) -> ExportReport:
        """Write what is stored of an owner into a new folder: the account, and campaigns as saves.

        As for the owner, the dice secret of a campaign is included only once it is closed on the host.
        """
        stored, account = await self.list_owned(owner), await self._read_account(owner)
        _make_folder(folder)
        log_action("export_owner", owner=owner, campaigns=len(stored))
        names = name_saves(stored)
        failed: dict[str, str] = {}
        home = open_store(folder / SAVES_FOLDER, git=False)
        async with open_host_store(self._environment) as store:
            for name, one in names.items():
                try:
                    await _export(store, home, name, one)
                except TalewrightError as error:
                    failed[name] = error.message
        listed = [{"save": name, **describe_stored(one)} for name, one in names.items() if name not in failed]
        workflows = await self._list_workflows(TraceScope(owner))
        told = {
            "account": account,
            "spending": await self._list_spending(owner),
            "campaigns": listed,
            "failed": failed,
            "workflows": workflows,
        }
        (folder / ACCOUNT_FILE).write_text(
            json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
        )
        return ExportReport({name: one for name, one in names.items() if name not in failed}, failed)

    async def _purge(
        self, action: str, scope: TraceScope, campaigns: Sequence[StoredCampaign]
    ) -> PurgeReport:
        log_action(action, owner=scope.owner, campaigns=len(campaigns))
        async with connect_database(self._find_url(scope.owner), None) as pool, pool.acquire() as connection:
            await hide_stored(connection, campaigns)
            async with self._open_traces() as traces:
                running = await traces.stop(scope)
                workflows = await traces.delete(scope)
                await delete_stored(connection, campaigns)
                # A turn that was just ending has perhaps written another step.
                workflows += await traces.delete(scope)
        # If another campaign has the name, the events are that one's.
        named = () if scope.campaign is None else (scope.campaign,)
        names = {*named, *(one.name for one in campaigns)} if scope.commits is None else ()
        has_streams = await self._delete_streams(scope.owner, sorted(names))
        return PurgeReport(tuple(campaigns), workflows, has_streams, running)

    async def _delete_streams(self, owner: str, campaigns: Sequence[str]) -> bool:
        if not campaigns:
            return True
        url = self._environment.get(REDIS_URL, "").strip()
        if not url:
            return False
        redis = connect_redis(url, 1)
        try:
            await delete_streams(redis, owner, campaigns)
        except (OSError, TimeoutError, RedisError):
            return False
        finally:
            await redis.aclose(close_connection_pool=True)
        return True

    async def _read_account(self, owner: str) -> "dict[str, Any] | None":
        async with connect_database(self._shards.databases[0]) as pool:
            await OwnerAccounts(pool).prepare()
            row = await pool.fetchrow("select * from hosting.owners where id = $1", owner)
        if row is None:
            return None
        return {
            **{name: value for name, value in row.items() if name != TOKEN_HASH},
            "at": _write_time(row["at"]),
            "month": row["month"].isoformat(),
        }

    async def _list_spending(self, owner: str) -> Sequence[dict[str, Any]]:
        """What the campaigns with a budget of their own have spent."""
        async with connect_database(self._shards.databases[0]) as pool:
            rows = await pool.fetch(
                "select * from hosting.campaign_spending where owner = $1 order by campaign", owner
            )
        return [{name: value for name, value in row.items() if name != "owner"} for row in rows]

    async def _list_workflows(self, scope: TraceScope) -> Sequence[str]:
        async with self._open_traces() as traces:
            return sorted(await traces.list_workflows(scope))

    @asynccontextmanager
    async def _open_traces(self) -> AsyncIterator[CampaignTraces]:
        # Imported late: listing and exporting campaigns needs no DBOS, which takes a second to load.
        from talewright.hosting.turn_queue import TurnQueue

        url = self._shards.databases[0]
        queue = TurnQueue(url, pool_size=1, patient=False)
        try:
            async with connect_database(url) as pool:
                yield CampaignTraces(pool, queue)
        finally:
            await queue.close()

    def _find_url(self, owner: str) -> str:
        return self._shards.databases[self._shards.index_of(owner)]


def _is_namesake(campaign: StoredCampaign, other: StoredCampaign) -> bool:
    """Whether another campaign that is still played has the name of this one."""
    return other.name == campaign.name and other.id != campaign.id and other.removed is None


async def _export(store: PostgresStore, home: Store, name: str, one: StoredCampaign) -> None:
    book = await open_stored(store, one)
    sent = await read_book(book, one.about, with_secret=one.closed is not None)
    await (await found_transferred(home, name, sent)).close()


def name_saves(stored: Sequence[StoredCampaign]) -> dict[str, StoredCampaign]:
    """Campaigns by the names that their saves get: removed ones have a part of their id in it, and those
    whose names would be taken the whole of it.
    """
    names: dict[str, StoredCampaign] = {}
    # Those that are still played keep their names.
    for one in sorted(stored, key=lambda one: one.removed is not None):
        mark = f"-removed-{one.id.hex[:ID_DIGITS]}" if one.removed is not None else ""
        name = one.name[: CAMPAIGN_NAME_LENGTH_MAX - len(mark)] + mark
        if name in names:
            mark = f"-{one.id.hex}"
            name = one.name[: CAMPAIGN_NAME_LENGTH_MAX - len(mark)] + mark
        names[name] = one
    return names


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise SettingsError(
            f"the folder {str(folder)!r} cannot be created: {error.strerror}",
            "Name a folder that does not exist yet.",
        ) from None


def describe_stored(one: StoredCampaign) -> dict[str, Any]:
    """A stored campaign as JSON."""
    return {
        "id": str(one.id),
        "owner": one.owner,
        "name": one.name,
        "title": one.about.get("title", ""),
        "bytes": one.bytes,
        "records": one.records,
        "written": _write_time(one.written),
        "removed": one.removed,
        "closed": one.closed,
    }


def _write_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
