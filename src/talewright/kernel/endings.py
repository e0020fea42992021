"""Endings: the ways a game can be over, and the finales in which the player chooses one.

An ending is data; `resolution` finds the one that holds.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.kernel.language.conditions import Condition
from talewright.kernel.moves import Update
from talewright.kernel.scenes import Risk


class Outcome(StrEnum):
    """What an ending is to the player."""

    WIN = "win"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Route:
    """One choice of a finale; the ending it names is the end."""

    id: str
    ending: str
    kind: Outcome
    risk: Risk = Risk.MEDIUM
    updates: tuple[Update, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """A condition under which the game is over, or its finale opens."""

    id: str
    when: Condition
    kind: Outcome
    finale: tuple[Route, ...] = ()
    """Empty: the game is over as soon as the condition holds."""
