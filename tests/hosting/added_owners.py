"""Owners with accounts on a host, added by a test without a command."""

import asyncio

from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.play.serving.owner_lookup import SingleOwner
from talewright.stores.postgres.connection_retry import Database


def add_owners(url: str, *names: str) -> None:
    """Accounts with these ids."""

    async def add() -> None:
        database = Database(url)
        for name in names:
            await prepare_owner_tables(database, SingleOwner(name, f"tw_{name}").identity)
        await database.close()

    asyncio.run(add())
