"""The CampaignPast port: last turns, reasons, tree, comparison and inspection.

It only reads, and shows only what the session's role may see. Going back is done by the session.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.campaign_view import TurnView


@frozen
class Provenance:
    """What set a variable: one past change; an answer to `why` lists them newest first."""

    version: int
    text: str
    """The change in words."""

    cause: str
    """In words: the storyteller, a scene, a trigger, a roll, the game itself."""

    reason: str = ""
    said: str = ""
    """What the player said in that turn."""


@frozen
class VariableTrail:
    """The values of a variable, turn by turn."""

    label: str
    points: tuple[tuple[int, float], ...]
    """Turn and value, oldest first, one for every turn that set a number; empty if it is not a number."""

    causes: tuple[Provenance, ...]
    """Newest first."""

    minimum: float | None = None
    maximum: float | None = None


@frozen
class TreeRow:
    """One row of the drawn tree: a turn, or a number of skipped turns."""

    depth: int
    """The distance from the trunk."""

    commit: str = ""
    """Empty for skipped turns."""

    version: int = 0
    said: str = ""
    told: str = ""
    """Its first line."""

    branches: tuple[str, ...] = ()
    """The branches that point here."""

    marks: tuple[str, ...] = ()
    here: bool = False
    """Whether the player is here."""

    forks: bool = False
    """Whether it starts a fork from the turn above."""

    skipped: int = 0
    at: str = ""
    untaken: tuple[str, ...] = ()
    """Choices after it that were not taken on any branch from here."""

    end: str = ""
    """The outcome if the game ended with it: `win`, `lose` or another word; empty otherwise."""


@frozen
class TreePage:
    """A part of the drawn tree."""

    rows: tuple[TreeRow, ...]
    first: int
    """How many rows come before it."""

    total: int
    """How many rows the tree has."""

    here: int
    """The version of the player's turn, on this page or not."""


@frozen
class CardTrend:
    """How the number on a card moved in the last turns."""

    variable: str
    points: tuple[tuple[int, float], ...]
    """Turn and value, oldest first; the first point is the value before the last turns."""


@frozen
class StoryStatistics:
    """Figures about the line of the story that leads to the player's turn."""

    turns: int
    counted: int
    """How many of the last turns the dice were counted in."""

    rolls: int
    """Rolls that the viewer could see."""

    successes: int
    failures: int
    branches: int
    """Branches of the whole campaign."""

    began: str
    ended: str
    """When the first and the newest turn were narrated."""


@frozen
class ComparisonView:
    """Two lines of a story, from where they diverged."""

    parted: int
    """The last turn that both have in common."""

    one: tuple[TurnView, ...]
    other: tuple[TurnView, ...]
    """The turns that only one line has, oldest first."""

    differences: tuple[str, ...]
    """The differences between the two ends, in words."""


@frozen
class InspectionPart:
    """One part of a turn's record."""

    name: str
    """Such as `sections`, `reply`, `repairs`, `rulings`, `cost`."""

    lines: tuple[str, ...]
    raw: Json = None


@frozen
class InspectionView:
    """A turn's record: all of it for authors, what was shown for others."""

    version: int
    commit: str
    parts: tuple[InspectionPart, ...]


class CampaignPast(Protocol):
    """The past of the player's branch, and of other branches."""

    async def turns(self, count: int = 10, before: str = "", first: int = 0) -> tuple[TurnView, ...]:
        """The last turns, the last ones before a commit, or those from number `first` on; newest last."""

    async def turn(self, commit: str) -> TurnView | None:
        """One turn, on any branch; None for the beginning, which has no narration."""

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a visible variable, newest first."""

    async def trail(self, variable: str) -> VariableTrail | None:
        """The values of a visible variable over time; None if there is none."""

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every`, no turn is skipped."""

    async def tree_page(
        self, count: int, first: int = -1, around: str = "", *, every: bool = False
    ) -> TreePage:
        """Some rows of the tree: from a row on, or around a turn, which is never skipped.

        Without either, around the player's turn.
        """

    async def trends(self, turns: int = 24) -> tuple[CardTrend, ...]:
        """How the visible numbers moved in the last turns; those that stayed the same are left out."""

    async def statistics(self) -> StoryStatistics:
        """Figures about the story so far."""

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches compared."""

    async def inspect(self, commit: str) -> InspectionView:
        """The whole record of a turn; roles that may not see all of it get what they were shown."""
