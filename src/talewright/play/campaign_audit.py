"""The CampaignAudit port: cost, receipts and verification of campaigns, as JSON for programs.

It reads whole records, and may name hidden things; who may see that is decided by whoever asks.
"""

from typing import Protocol

from talewright.common.json_values import Json


class CampaignAudit(Protocol):
    """What was spent on a campaign, and whether its record is true."""

    async def read_cost(self, campaign: str) -> dict[str, Json]:
        """Tokens and money, by turn and by model, as `talewright cost --json` prints them."""

    async def make_receipt(self, campaign: str) -> dict[str, Json]:
        """A line that later proves that no record up to now was changed."""

    async def verify(self, campaign: str, receipt: str = "") -> dict[str, Json]:
        """The report of replaying every turn, as `talewright verify --json` prints it."""
