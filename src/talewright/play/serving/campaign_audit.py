"""Campaign audits: cost, receipts and verification of campaigns, as JSON for programs.

They read whole records and may name hidden things; the caller decides who may see them.
"""

from typing import Protocol, cast

from talewright.chronicle.store import DamagedError, Store, UnfitNameError, UnknownCampaignError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.llm.profiles import ProfileLookup
from talewright.play.history.campaign_cost import count_costs
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.playable_games import GameLibrary
from talewright.play.serving.served_jobs import JobKind, JobRunner
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import find_secret, make_receipt, parse_receipt


class CampaignAudit(Protocol):
    """What was spent on a campaign, and whether its record is intact."""

    async def read_cost(self, campaign: str) -> dict[str, Json]:
        """Tokens and money, by turn and by model, as `talewright cost --json` prints them."""

    async def make_receipt(self, campaign: str) -> dict[str, Json]:
        """A line that later proves that no record up to now was changed."""

    async def verify(self, campaign: str, receipt: str = "") -> dict[str, Json]:
        """The report of replaying every turn, as `talewright verify --json` prints it.

        Raises ReceiptError if a receipt cannot be checked.
        """


@frozen
class StoreAudit:
    """A CampaignAudit on a store."""

    store: Store
    shelf: GameLibrary
    lookup: ProfileLookup
    """Returns the prices of models."""

    jobs: JobRunner | None = None
    """On a server, verifies campaigns in another process; without it, this process does."""

    async def read_cost(self, campaign: str) -> dict[str, Json]:
        """Tokens and money, by turn and by model."""
        async with self._archive.past(campaign) as past:
            return count_costs(past.history, self.lookup).to_json()

    async def make_receipt(self, campaign: str) -> dict[str, Json]:
        """A line that later proves that no record up to now was changed."""
        async with self._archive.book(campaign) as book:
            receipt = await make_receipt(book)
            return {"campaign": book.campaign, "records": receipt.length, "receipt": receipt.line}

    async def verify(self, campaign: str, receipt: str = "") -> dict[str, Json]:
        """The report of replaying every turn. Raises ReceiptError if a receipt cannot be checked."""
        given = parse_receipt(receipt) if receipt else None
        if self.jobs is not None:
            asked: dict[str, Json] = {"campaign": campaign, "receipt": receipt}
            return cast(dict[str, Json], (await self.jobs.run(JobKind.VERIFY, asked)).value)
        async with self._archive.book(campaign) as book:
            secret = await find_secret(book)
            report = await verify(book, editions=self.shelf, secret=secret, receipt=given)
            length = None if given is None else given.length
            return {**report.to_json(book.campaign), "receipt": length}

    @property
    def _archive(self) -> CampaignArchive:
        return CampaignArchive(self.store, self.shelf)


async def read_birth(store: Store, campaign: str) -> str:
    """The hash of a campaign's first record, which tells it apart from others that had or will have its name.

    Empty if there is no campaign.
    """
    try:
        book = await store.open(campaign)
    except (UnknownCampaignError, UnfitNameError, DamagedError):
        return ""
    try:
        return (await book.chain(1)).hash
    except (UnknownCampaignError, DamagedError):
        return ""
    finally:
        await book.close()
