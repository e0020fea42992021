"""Scenes and endings: authored passages with choices, the ways a game can be over, and its finales.

Data without words, only the keys of texts. `scene_rules` plays scenes, `ending_rules` finds what holds.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.judging.moves_and_rulings import Update


class Risk(StrEnum):
    """What a choice puts at stake, as the player is told beforehand."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@frozen
class SceneResult:
    """What follows from a check."""

    text: str = ""
    updates: tuple[Update, ...] = ()
    next: str = ""


@frozen
class Check:
    """A roll that decides between two results."""

    roll: str
    """Dice notation."""

    at_least: int
    success: SceneResult
    failure: SceneResult


@frozen
class Rung:
    """One of several results of a roll, and the totals that it stands for."""

    at_least: int | None
    """The lowest total that reaches it, if none above it is reached; None takes whatever is left."""

    success: bool
    word: str
    """What the outcome is called; the key of a text, empty where success or failure says enough."""

    result: SceneResult


@frozen
class Ladder:
    """A roll that decides among several results."""

    roll: str
    """Dice notation."""

    rungs: tuple[Rung, ...]
    """From the highest down; the last takes whatever is left."""

    def reached(self, total: int) -> Rung:
        """The highest rung that a total reaches."""
        return next(rung for rung in self.rungs if rung.at_least is None or rung.at_least <= total)


@frozen
class Trial:
    """A call to a system that decides between two results."""

    tool: str
    arguments: Mapping[str, Json]
    success: SceneResult
    """What follows where the system's answer says that the outcome is a success."""

    failure: SceneResult
    """What follows otherwise; a call that is refused is no success either."""


@frozen
class Choice:
    """One thing a player may do in a scene."""

    id: str
    when: Condition | None = None
    """Offered only while this holds."""

    risk: Risk = Risk.LOW
    text: str = ""
    """What happens when it is chosen; the key of a text, empty where there is none."""

    updates: tuple[Update, ...] = ()
    check: Check | Ladder | Trial | None = None
    next: str = ""
    """The scene that follows; empty leaves it to the narrator."""


@frozen
class Variant:
    """One wording of a scene."""

    text: str
    when: Condition | None = None


@frozen
class Scene:
    """An authored passage."""

    id: str
    variants: tuple[Variant, ...]
    """The first whose condition holds is told; the last has none."""

    choices: tuple[Choice, ...]
    when: Condition | None = None
    """Absent: reached only where a choice names it."""

    priority: int = 0
    """Higher goes first."""

    once: bool = False


class Outcome(StrEnum):
    """What an ending is to the player."""

    WIN = "win"
    LOSE = "lose"


@frozen
class Route:
    """One choice of a finale; the ending it names is the end."""

    id: str
    ending: str
    kind: Outcome
    risk: Risk = Risk.MEDIUM
    updates: tuple[Update, ...] = ()


@frozen
class Ending:
    """A condition under which the game is over, or its finale opens."""

    id: str
    when: Condition
    kind: Outcome
    finale: tuple[Route, ...] = ()
    """Empty: the game is over as soon as the condition holds."""
