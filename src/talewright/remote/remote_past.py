"""The past of a campaign on a server.

It only reads, and gets only what the role may see.
"""

from talewright.common.frozen_values import frozen
from talewright.play.campaign_past import (
    ComparisonView,
    InspectionView,
    Provenance,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView
from talewright.remote.campaign_requests import CampaignRequests, quote_segment, read_many, read_one


@frozen
class RemotePast:
    """A CampaignPast over HTTP."""

    requests: CampaignRequests

    async def turns(self, count: int = 10, before: str = "") -> tuple[TurnView, ...]:
        """The last turns, or the last before a commit; newest last."""
        query = {"count": str(count), **({"before": before} if before else {})}
        return read_many(TurnView, await self.requests.ask("GET", "turns", query=query))

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a variable that may be seen, newest first."""
        route = f"variables/{quote_segment(variable)}/why"
        return read_many(Provenance, await self.requests.ask("GET", route))

    async def trail(self, variable: str) -> VariableTrail | None:
        """The values of a visible variable over time; None if there is none."""
        answer = await self.requests.ask("GET", f"variables/{quote_segment(variable)}/trail")
        return None if answer.read() is None else read_one(VariableTrail, answer)

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every`, no turn is skipped."""
        query = {"every": "true"} if every else {}
        return read_many(TreeRow, await self.requests.ask("GET", "tree", query=query))

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches compared."""
        answer = await self.requests.ask("GET", "compare", query={"one": one, "other": other})
        return read_one(ComparisonView, answer)

    async def inspect(self, commit: str) -> InspectionView:
        """The whole record of a turn; for roles that may not see all of it, what they were shown."""
        answer = await self.requests.ask("GET", f"commits/{quote_segment(commit)}")
        return read_one(InspectionView, answer)
