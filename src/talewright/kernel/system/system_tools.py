"""System tools: the moves a system brings, and what it answers when one is called.

Values only; `judging.move_resolution` applies them.
"""

from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call, Update
from talewright.kernel.judging.rulings import Decision, Errand, Grade
from talewright.kernel.story.triggers import Event


class ToolWork(StrEnum):
    """What a tool does, shown to those who wait for it."""

    ROLLING = "rolling"
    UPDATING = "updating"
    CONSULTING = "consulting"


@frozen
class Tool:
    """A move of a system, as its caller sees it."""

    name: str
    description: str
    parameters: Json
    """JSON Schema of the arguments."""

    must_see: bool = True
    """Whether the caller must read the result before it can continue the story."""

    work: ToolWork = ToolWork.UPDATING
    """The result of a rolling tool is shown to everyone, even if no die was rolled in the end."""

    check: tuple[str, ...] = ()
    """The arguments that say who tries what. A game master who abandons a turn gets the same draws again for
    the same check, so nothing that can be worded freely belongs here. If one thing has several spellings, the
    system says what is meant (`HasArgumentMeanings`).
    """

    terms: tuple[str, ...] = ()
    """The arguments that say how hard it is, and all others that change how the roll counts, such as whether
    the player sees it. Other terms do not make it another check: after an abandoned turn, it must be made on
    the same terms as before.
    """

    authored: Json = None
    """JSON Schema of the arguments that an author may write, if it is narrower: a misspelt word in a scene is
    found before anyone plays. None if it is the same.
    """

    own: bool = False
    """Whether the caller decides what it changes, and not a rule. An external game master must then give a
    `reason`, which the system gets with the arguments, and everyone reads that the change is the game
    master's own.
    """


@frozen
class Grant:
    """A call is allowed, with these updates and this result."""

    updates: tuple[Update, ...] = ()
    result: Json = None
    events: tuple[Event, ...] = ()


@frozen
class Denial:
    """A call is refused."""

    reason: str
    """What is wrong and what would be accepted."""

    grade: Grade = Grade.MEND


@frozen
class Wait:
    """A call cannot be judged before the player or an errand has answered."""

    need: Decision | Errand


SystemAnswer: TypeAlias = Grant | Denial | Wait


def deny_unknown(call: Call) -> Denial:
    """The answer to a tool that a system does not have."""
    return Denial(f"{call.tool} is no tool of this system")
