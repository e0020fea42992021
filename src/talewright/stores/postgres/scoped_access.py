"""Access to one campaign in PostgreSQL: every statement carries its id and its owner.

Anyone who has a campaign's id but is not its owner can neither read nor write it.
"""

from collections.abc import Callable
from time import monotonic
from uuid import UUID

from talewright.chronicle.store import (
    ClosedCampaignError,
    StorageLimits,
    StoreAwayError,
    UnknownCampaignError,
    UnsavedError,
)
from talewright.stores.postgres import statements
from talewright.stores.postgres.connection_retry import Database, LostWriteError, Row
from talewright.stores.postgres.sealing import CampaignSeal, SealingKeys

WRITES_MAX = 5
"""How often a write whose answer was lost is sent again."""

ROOM_SECONDS = 30.0
"""How long an owner who was not full is believed to have room."""


class CampaignAccess:
    """One campaign of one owner in one database."""

    def __init__(self, database: Database, keys: SealingKeys, key: UUID, owner: str, name: str) -> None:
        self.database = database
        self.key = key
        """The campaign's id."""

        self.owner = owner
        self.name = name
        self.seal: CampaignSeal = keys.seal_for(key.bytes)
        self.shared_seal: CampaignSeal = keys.seal_for(b"")
        """For what several campaigns share."""

    async def fetch(self, statement: str, *values: object) -> "list[Row]":
        """The rows that a statement finds."""
        return list(await self.database.fetch(statement, self.key, self.owner, *values))

    async def fetch_one(self, statement: str, *values: object) -> Row:
        """The row of the campaign; raises UnknownCampaignError if there is none."""
        rows = await self.fetch(statement, *values)
        if not rows:
            raise unknown_campaign(self.name)
        return rows[0]

    async def write(self, statement: str, *values: object) -> "list[Row]":
        """One write; raises StoreAwayError if it is unknown whether it happened."""
        try:
            return list(await self.database.write(statement, self.key, self.owner, *values))
        except LostWriteError as error:
            raise StoreAwayError(
                "the connection to the database was lost during a write",
                "Open the campaign again to see whether it was saved.",
            ) from error

    async def repeat(self, statement: str, *values: object) -> None:
        """A write that may be sent twice."""
        for _ in range(WRITES_MAX - 1):
            try:
                await self.database.write(statement, self.key, self.owner, *values)
            except LostWriteError:
                continue
            return
        await self.write(statement, *values)

    def refuse_ended(self, row: Row) -> None:
        """Raise UnsavedError if the campaign was removed, and ClosedCampaignError if it was closed."""
        if row["removed"] is not None:
            raise UnsavedError(f"the campaign {self.name!r} was removed", "Choose another from the list.")
        if row["closed"] is not None:
            raise ClosedCampaignError(
                f"the campaign {self.name!r} is closed on this host", "Pull it and continue playing at home."
            )


class StorageRoom:
    """Whether the owner of a campaign may store more."""

    def __init__(
        self, access: CampaignAccess, limits: StorageLimits, seconds: Callable[[], float] = monotonic
    ) -> None:
        self._access = access
        self._limits = limits
        self._seconds = seconds
        self._fits_until = float("-inf")

    async def check(self) -> None:
        """Raise StorageFullError if not. That there is room is believed for a while."""
        if self._limits.bytes is None or self._seconds() < self._fits_until:
            return
        (stored,) = await self._access.database.fetch(statements.STORED, self._access.owner, None)
        self._limits.check_bytes(stored["bytes"])
        self._fits_until = self._seconds() + ROOM_SECONDS


def unknown_campaign(name: str) -> UnknownCampaignError:
    """The error for a campaign that does not exist, or that belongs to another owner."""
    return UnknownCampaignError(
        f"there is no campaign {name!r}", "List the campaigns to see which there are."
    )
