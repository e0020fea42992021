"""Signals of a turn: what it reports while it runs, unfiltered.

They leave the engine only as News, which `play` makes for one viewer. Each has the branch and the operation
id of its turn; the code that takes the turn adds them in one place, with `name_turn`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias

from talewright.chronicle.records import Accepted, Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call
from talewright.kernel.system import ToolWork


class Doing(StrEnum):
    """What is going on."""

    READING = "reading"
    TELLING = "telling"
    JUDGING = "judging"
    ROLLING = "rolling"
    UPDATING = "updating"
    CONSULTING = "consulting"
    MENDING = "mending"
    SAVING = "saving"


class RepairCause(StrEnum):
    """Why a model is asked again."""

    FORM = "form"
    """The answer was not in the form of the game."""

    RULES = "rules"
    """It proposed something the rules do not allow."""

    WORDS = "words"
    """It said something it must not reveal."""

    CUT = "cut"
    """It was longer than allowed."""

    BROKEN = "broken"
    """It broke off, or did not come."""


_WORK: Mapping[ToolWork, Doing] = {
    ToolWork.ROLLING: Doing.ROLLING,
    ToolWork.UPDATING: Doing.UPDATING,
    ToolWork.CONSULTING: Doing.CONSULTING,
}


def name_work(game: Game, call: Call) -> Doing:
    """Name the work that a call does."""
    return _WORK[game.work.get(call.tool, ToolWork.UPDATING)]


@frozen
class TurnAccepted:
    """The input is saved."""

    accepted: Accepted
    branch: str = ""
    operation_id: str = ""


@frozen
class NarrationDelta:
    """More of the narration."""

    text: str
    branch: str = ""
    operation_id: str = ""


@frozen
class NarrationReset:
    """The narration so far is discarded and replaced by this."""

    text: str
    voids_rolls: bool = False
    """Whether the dice reported so far are discarded too: the turn starts over."""

    branch: str = ""
    operation_id: str = ""


@frozen
class DiceRolled:
    """Dice were rolled before the words they decide."""

    roll: Json
    """As it is recorded."""

    game_digest: str
    """The edition of the game that the turn is played with."""

    branch: str = ""
    operation_id: str = ""


@frozen
class Activity:
    """What is being done. While waiting for a model, it also says what is known about the wait."""

    doing: Doing
    share: float | None = None
    """How much of the prompt the model has read, from 0 to 1; None if its server does not say."""

    usual_seconds: float | None = None
    """How long it usually takes, from the turn's first ask to the end of this one; None if unknown."""

    why: RepairCause | None = None
    can_skip: bool = False
    """Whether the player can continue without the model because a scene could narrate the turn."""

    branch: str = ""
    operation_id: str = ""


@frozen
class TurnCommitted:
    """The turn is saved."""

    commit: Commit
    branch: str = ""
    operation_id: str = ""


@frozen
class TurnDegraded:
    """The turn could not be narrated; nothing has changed."""

    reason: str
    trouble: str = ""
    branch: str = ""
    operation_id: str = ""


@frozen
class TurnFailed:
    """The turn failed; nothing has changed."""

    reason: str
    hint: str = ""
    branch: str = ""
    operation_id: str = ""


@frozen
class BackgroundDone:
    """Background work has finished."""

    kind: str
    branch: str = ""
    operation_id: str = ""


@frozen
class BackgroundFailed:
    """Background work has failed; the turn is saved."""

    what: str
    """By its name in `turn.background.background_troubles.BackgroundWork`."""

    system: str = ""
    """The system whose work it was; empty for the engine's own."""

    branch: str = ""
    operation_id: str = ""


Signal: TypeAlias = (
    TurnAccepted
    | NarrationDelta
    | NarrationReset
    | DiceRolled
    | Activity
    | TurnCommitted
    | TurnDegraded
    | TurnFailed
    | BackgroundDone
    | BackgroundFailed
)
SignalListener: TypeAlias = Callable[[Signal], None]


def name_turn(listener: SignalListener, branch: str, operation_id: str) -> SignalListener:
    """Return a listener that adds the turn to every signal that does not name one."""

    def hear(signal: Signal) -> None:
        if not signal.operation_id:
            signal = replace(signal, branch=signal.branch or branch, operation_id=operation_id)
        listener(signal)

    return hear
