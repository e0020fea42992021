"""Wishes: what a player asks for who looks at the tree of a campaign.

Only values. Undoing, forking and switching are the session's business; comparing and inspecting only look.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back so many turns on this branch."""

    turns: int


@dataclass(frozen=True, slots=True)
class GoTo:
    """Begin a branch at a turn and go on there."""

    commit: str
    name: str = ""
    """How the branch is called; empty lets it be named."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Go on where another branch stands."""

    branch: str


@dataclass(frozen=True, slots=True)
class Compare:
    """See two turns or branches side by side."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Inspect:
    """See all that is recorded of a turn."""

    commit: str


Wish: TypeAlias = Undo | GoTo | Switch | Compare | Inspect
Departure: TypeAlias = Undo | GoTo | Switch
"""What the tree is left with; the two others are seen on top of it."""
