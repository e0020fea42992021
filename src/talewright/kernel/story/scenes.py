"""Scenes: authored passages with choices, and the checks that decide what a choice leads to.

Data only, with keys of texts instead of words. `scene_rules` plays scenes.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.judging.moves import Call, Update


class Risk(StrEnum):
    """What a choice risks, as shown to the player beforehand."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ChoiceGroup(StrEnum):
    """What a system's choice is about: where there are many, those of a group stand together."""

    HERE = "here"
    TALK = "talk"
    GO = "go"
    WAIT = "wait"


@frozen
class SystemChoice:
    """A move of a system that the player may start."""

    id: str
    """Unique among the choices of its system, and the same in every language."""

    label: str
    call: Call
    """The move, judged like any other if the player chooses it."""

    hint: str = ""
    risk: Risk = Risk.LOW
    group: ChoiceGroup = ChoiceGroup.HERE


@frozen
class SceneResult:
    """The consequences of a check."""

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
    """One of several results of a roll, with its range of totals."""

    at_least: int | None
    """The lowest total for this result, unless a higher rung is reached; None takes all remaining totals."""

    success: bool
    word: str
    """The name of the outcome; the key of a text, empty if success or failure says enough."""

    result: SceneResult


@frozen
class Ladder:
    """A roll that decides among several results."""

    roll: str
    """Dice notation."""

    rungs: tuple[Rung, ...]
    """From the highest down; the last takes all remaining totals."""

    def reached(self, total: int) -> Rung:
        """The highest rung that a total reaches."""
        return next(rung for rung in self.rungs if rung.at_least is None or rung.at_least <= total)


@frozen
class Trial:
    """A call to a system that decides between two or three results."""

    tool: str
    arguments: Mapping[str, Json]
    success: SceneResult
    """The result if the system's answer reports a success."""

    failure: SceneResult
    """The result otherwise, including a refused call."""

    partial: SceneResult | None = None
    """The result of a partial success; without it, that counts as a success."""


@frozen
class Choice:
    """One thing a player may do in a scene."""

    id: str
    when: Condition | None = None
    """Offered only while this holds."""

    risk: Risk = Risk.LOW
    text: str = ""
    """What happens when it is chosen; the key of a text, empty if there is none."""

    updates: tuple[Update, ...] = ()
    check: Check | Ladder | Trial | None = None
    next: str = ""
    """The scene that follows; if empty, the narrator continues."""


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
    """The first whose condition holds is used; the last has none."""

    choices: tuple[Choice, ...]
    when: Condition | None = None
    """None: reached only if a choice names it."""

    priority: int = 0
    """Higher goes first."""

    once: bool = False
