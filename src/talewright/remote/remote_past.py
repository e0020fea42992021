"""The past of a campaign on a server.

It only reads, and the server sends only what the role may see.
"""

from talewright.common.frozen_values import frozen
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView
from talewright.remote.campaign_requests import CampaignRequests, quote_segment, read_many, read_one


@frozen
class RemotePast:
    """A CampaignPast over HTTP."""

    requests: CampaignRequests

    async def turns(self, count: int = 10, before: str = "", first: int = 0) -> tuple[TurnView, ...]:
        """The last turns, the last ones before a commit, or those from number `first` on; newest last."""
        query = {"count": str(count), **({"before": before} if before else {})}
        query |= {"first": str(first)} if first else {}
        return read_many(TurnView, await self.requests.ask("GET", "turns", query=query))

    async def turn(self, commit: str) -> TurnView | None:
        """One turn, on any branch; None for the beginning, which has no narration."""
        answer = await self.requests.ask("GET", f"commits/{quote_segment(commit)}/turn")
        return None if answer.read() is None else read_one(TurnView, answer)

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a visible variable, newest first."""
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

    async def tree_page(
        self, count: int, first: int = -1, around: str = "", *, every: bool = False
    ) -> TreePage:
        """Some rows of the tree: from a row on, or around a turn, which is never skipped."""
        query = {"count": str(count), "every": str(every).lower()}
        query |= {"first": str(first)} if first >= 0 else {}
        query |= {"around": around} if around else {}
        return read_one(TreePage, await self.requests.ask("GET", "tree/page", query=query))

    async def trends(self, turns: int = 24) -> tuple[CardTrend, ...]:
        """How the visible numbers moved in the last turns; those that stayed the same are left out."""
        return read_many(CardTrend, await self.requests.ask("GET", "trends", query={"turns": str(turns)}))

    async def statistics(self) -> StoryStatistics:
        """Figures about the story so far."""
        return read_one(StoryStatistics, await self.requests.ask("GET", "statistics"))

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches compared."""
        answer = await self.requests.ask("GET", "compare", query={"one": one, "other": other})
        return read_one(ComparisonView, answer)

    async def inspect(self, commit: str) -> InspectionView:
        """The whole record of a turn; roles that may not see all of it get what they were shown."""
        answer = await self.requests.ask("GET", f"commits/{quote_segment(commit)}")
        return read_one(InspectionView, answer)
