"""Stored campaigns: what an operator sees of all campaigns in a database, removed ones included, and deletes.

Neither needs the sealing keys. Deleting a campaign deletes every row of it, and games that no other campaign
plays; nothing can bring it back but a backup.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from talewright.common.frozen_values import frozen
from talewright.stores.postgres.campaign_rows import read_campaign
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.scoped_access import unknown_campaign

_LIST = """
select id, owner, name, about, bytes, records, written, removed, closed
from campaigns where $1::text is null or owner = $1 order by owner, name, removed nulls first, id
"""
_FIND = "select * from campaigns where id = $1 and owner = $2"
_HIDE = """
update campaigns set removed =
  coalesce(removed, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
where id = any ($1)
"""
_COMMITS = "select id from records where campaign = $1 and kind = 'commit'"
_LOCK_GAMES = "lock table games in exclusive mode"
"""Nobody links a campaign to a game while unused games are deleted."""

_DELETE = "delete from campaigns where id = any ($1)"
_UNLINK_GAMES = "delete from game_links where campaign = any ($1) returning hash"
_DELETE_UNUSED = """
delete from games where hash = any ($1) and not exists (select from game_links l where l.hash = games.hash)
"""


@frozen
class StoredCampaign:
    """A campaign in a database."""

    id: UUID
    owner: str
    name: str
    about: Mapping[str, str]
    """What a list of campaigns shows: game, title, language."""

    bytes: int
    """Of its records and snapshots; games are shared and not included."""

    records: int
    written: datetime
    removed: str | None
    closed: str | None
    """Times as texts."""


async def list_stored(connection: Any, owner: str | None) -> tuple[StoredCampaign, ...]:
    """All campaigns of an owner, or of all owners if that is None, by owner and name."""
    rows = await connection.fetch(_LIST, owner)
    return tuple(StoredCampaign(**{**row, "about": json.loads(row["about"])}) for row in rows)


async def list_commits(connection: Any, campaign: StoredCampaign) -> list[str]:
    """The ids of a campaign's commits."""
    return [row["id"] for row in await connection.fetch(_COMMITS, campaign.id)]


async def hide_stored(connection: Any, campaigns: Sequence[StoredCampaign]) -> None:
    """Mark campaigns as removed: from now on nobody writes to them."""
    await connection.execute(_HIDE, [one.id for one in campaigns])


async def delete_stored(connection: Any, campaigns: Sequence[StoredCampaign]) -> None:
    """Delete campaigns with everything that belongs to them."""
    ids = [one.id for one in campaigns]
    async with connection.transaction():
        await connection.execute(_LOCK_GAMES)
        played = [row["hash"] for row in await connection.fetch(_UNLINK_GAMES, ids)]
        await connection.execute(_DELETE, ids)
        await connection.execute(_DELETE_UNUSED, played)


async def open_stored(store: PostgresStore, campaign: StoredCampaign) -> PostgresBook:
    """Open a campaign by its id, even if it was removed; raises UnknownCampaignError."""
    database = store.databases[store.shards.index_of(campaign.owner)]
    rows = await database.fetch(_FIND, campaign.id, campaign.owner)
    if not rows:
        raise unknown_campaign(campaign.name)
    row = read_campaign(rows[0], store.keys.seal_for(campaign.id.bytes))
    return PostgresBook(database, store.keys, row, even_removed=True)
