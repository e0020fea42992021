"""The PostgreSQL book: one campaign of one owner, made of a part for each subject.

Each part sends its own statements; they share the access to the campaign, which scopes every statement.
"""

from talewright.chronicle.readable_pages import CampaignPages
from talewright.chronicle.store import StorageLimits
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import BranchRow, CampaignRow
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.postgres_blobs import PostgresBlobs
from talewright.stores.postgres.postgres_open_turns import PostgresOpenTurns
from talewright.stores.postgres.postgres_reader import PostgresReader, RecordWalk
from talewright.stores.postgres.postgres_writer import PostgresWriter
from talewright.stores.postgres.scoped_access import CampaignAccess, StorageRoom
from talewright.stores.postgres.sealing import SealingKeys


class PostgresBook:
    """The records of one campaign, and what is stored next to them; a CampaignBook."""

    def __init__(
        self,
        database: Database,
        keys: SealingKeys,
        campaign: CampaignRow,
        branch: BranchRow | None = None,
        limits: StorageLimits = StorageLimits(),  # noqa: B008 - a frozen value
        even_removed: bool = False,
    ) -> None:
        """`even_removed` is for operators, who read campaigns that their players have removed."""
        self._access = CampaignAccess(database, keys, campaign.id, campaign.owner, campaign.name)
        self.opened = campaign
        """The campaign's row when it was opened."""

        self.campaign = campaign.name
        self.campaign_id = campaign.id
        """Random, and the same for as long as the campaign exists."""

        self.owner = campaign.owner
        self.pages: CampaignPages | None = None
        """None: a database has no pages that people edit."""

        reader = PostgresReader(self._access, campaign, even_removed=even_removed)
        self.look, self.branches, self.marks = reader.look, reader.branches, reader.marks
        self.read, self.back, self.find, self.asides = reader.read, reader.back, reader.find, reader.asides

        walk = RecordWalk(self._access)
        self.records, self.lines, self.chain = walk.records, walk.lines, walk.chain

        blobs = PostgresBlobs(self._access)
        self.keep, self.kept, self.secret = blobs.keep, blobs.kept, blobs.secret

        turns = PostgresOpenTurns(self._access)
        self.open_turn = turns.open_turn
        self.write_open_turn, self.drop_open_turn = turns.write_open_turn, turns.drop_open_turn

        room = StorageRoom(self._access, limits)
        writer = PostgresWriter(self._access, reader, turns, campaign, branch, room)
        self.accept, self.commit, self.add, self.point = (
            writer.accept,
            writer.commit,
            writer.add,
            writer.point,
        )

    async def closed_at(self) -> str | None:
        """When the campaign was closed on this host, after which nothing is written; None if it is open."""
        at: str | None = (await self._access.fetch_one(statements.CLOSED_AT))["closed"]
        return at

    async def close_campaign(self, at: str) -> None:
        """Close the campaign on this host for good: its secret may be revealed from now on."""
        await self._access.repeat(statements.CLOSE_CAMPAIGN, at)

    async def close(self) -> None:
        """Do nothing: connections belong to the store."""
