"""The CampaignPast port: looking back in a session: last turns, reasons, tree, comparison, inspection.

It only tells, and only what the role of the session may see. Going back is the session's business.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.campaign_view import TurnView


@frozen
class Provenance:
    """Who set a variable: one change of the past, newest first in an answer to `why`."""

    version: int
    text: str
    """The change in words."""

    cause: str
    """In words: the storyteller, a scene, a trigger, a roll, the game itself."""

    reason: str = ""
    said: str = ""
    """What the player had said in that turn."""


@frozen
class VariableTrail:
    """How a variable has stood, turn after turn."""

    label: str
    points: tuple[tuple[int, float], ...]
    """Turn and value, oldest first, one for every turn that set a number; empty where it is none."""

    causes: tuple[Provenance, ...]
    """Newest first."""

    minimum: float | None = None
    maximum: float | None = None


@frozen
class TreeRow:
    """One row of the drawn tree: a turn, or so many turns that are left out."""

    depth: int
    """How far from the trunk."""

    commit: str = ""
    """Empty where turns are left out."""

    version: int = 0
    said: str = ""
    told: str = ""
    """Its first line."""

    branches: tuple[str, ...] = ()
    """Those that stand here."""

    marks: tuple[str, ...] = ()
    here: bool = False
    """Whether the player stands here."""

    forks: bool = False
    """Whether it leaves the turn above the rows it follows."""

    skipped: int = 0
    at: str = ""
    untaken: tuple[str, ...] = ()
    """What else lay on the table after it, and was not taken on any way that goes on from here."""


@frozen
class ComparisonView:
    """Two ways a story went, from where they parted."""

    parted: int
    """The turn both have last in common."""

    one: tuple[TurnView, ...]
    other: tuple[TurnView, ...]
    """The turns each has alone, oldest first."""

    differences: tuple[str, ...]
    """What stands otherwise at the two ends, in words."""


@frozen
class InspectionPart:
    """One part of what is recorded of a turn."""

    name: str
    """Such as `sections`, `reply`, `repairs`, `rulings`, `cost`."""

    lines: tuple[str, ...]
    raw: Json = None


@frozen
class InspectionView:
    """What is recorded of one turn: for whoever wrote the game all of it, for others what they were shown."""

    version: int
    commit: str
    parts: tuple[InspectionPart, ...]


class CampaignPast(Protocol):
    """What has happened on the branch where the player stands, and beside it."""

    async def turns(self, count: int = 10, before: str = "") -> tuple[TurnView, ...]:
        """The last turns, or the last before a commit; newest last."""

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        """What set a variable that may be seen, newest first."""

    async def trail(self, variable: str) -> VariableTrail | None:
        """How a variable that may be seen has stood; None where there is none."""

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        """The campaign as a tree; with `every` no turn is left out."""

    async def compare(self, one: str, other: str) -> ComparisonView:
        """Two commits or branches side by side."""

    async def inspect(self, commit: str) -> InspectionView:
        """All that is recorded of a turn; for roles that do not see all of it, what they were shown."""
