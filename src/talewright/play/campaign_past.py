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

    async def turns(self, count: int = 10, before: str = "") -> tuple[TurnView, ...]:
        """The last turns, or the last before a commit; newest last."""

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a variable that may be seen, newest first."""

    async def trail(self, variable: str) -> VariableTrail | None:
        """The values of a visible variable over time; None if there is none."""

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every`, no turn is skipped."""

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches compared."""

    async def inspect(self, commit: str) -> InspectionView:
        """The whole record of a turn; for roles that may not see all of it, what they were shown."""
