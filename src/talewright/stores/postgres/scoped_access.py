"""Access to one campaign in PostgreSQL: every statement carries its id and its owner.

Anyone who has a campaign's id but is not its owner can neither read nor write it.
"""

from uuid import UUID

from talewright.chronicle.store import UnknownCampaignError, UnsavedError
from talewright.stores.postgres.connections import Database, LostWriteError, Row
from talewright.stores.postgres.sealing import CampaignSeal, SealingKeys

WRITES_MAX = 5
"""How often a write whose answer was lost is sent again."""


class CampaignAccess:
    """One campaign of one owner in one database."""

    def __init__(self, database: Database, keys: SealingKeys, key: UUID, owner: str, name: str) -> None:
        self._database = database
        self._key = key
        self._owner = owner
        self._name = name
        self._seal: CampaignSeal = keys.seal_for(key.bytes)
        self._shared_seal: CampaignSeal = keys.seal_for(b"")

    @property
    def campaign(self) -> str:
        """The campaign's name."""
        return self._name

    @property
    def campaign_id(self) -> UUID:
        """Its id: random, and the same for as long as it exists."""
        return self._key

    @property
    def owner(self) -> str:
        """Whose campaign it is."""
        return self._owner

    async def _fetch(self, statement: str, *values: object) -> "list[Row]":
        return list(await self._database.fetch(statement, self._key, self._owner, *values))

    async def _write(self, statement: str, *values: object) -> "list[Row]":
        """One write; raises UnsavedError if it is unknown whether it happened."""
        try:
            return list(await self._database.write(statement, self._key, self._owner, *values))
        except LostWriteError as error:
            raise UnsavedError(
                "the connection to the database was lost during a write",
                "Open the campaign again to see whether it was saved.",
            ) from error

    async def _repeat(self, statement: str, *values: object) -> None:
        """A write that may be sent twice."""
        for _ in range(WRITES_MAX - 1):
            try:
                await self._database.write(statement, self._key, self._owner, *values)
            except LostWriteError:
                continue
            return
        await self._write(statement, *values)

    def _unknown(self) -> UnknownCampaignError:
        return unknown_campaign(self._name)

    def _refuse_ended(self, row: Row) -> None:
        """Raise UnsavedError if the campaign was removed or closed."""
        if row["removed"] is not None:
            raise UnsavedError(f"the campaign {self._name!r} was removed", "Choose another from the list.")
        if row["closed"] is not None:
            raise UnsavedError(
                f"the campaign {self._name!r} is closed on this host", "Pull it and continue playing at home."
            )


def unknown_campaign(name: str) -> UnknownCampaignError:
    """The error for a campaign that does not exist, or that belongs to another owner."""
    return UnknownCampaignError(
        f"there is no campaign {name!r}", "List the campaigns to see which there are."
    )
