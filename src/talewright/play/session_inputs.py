"""Session inputs: what a player can put to a session and where in a campaign one can go, as values.

Nothing is decided here. `turn` owns the inputs it takes; what only a session knows is added. The ports do not
import this module, because the terminal loads them before its first paint, and `turn` only after it.
"""

from collections.abc import Coroutine
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import View
from talewright.play.session import InputResult, Session, Stamp
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, GoOn, Say

__all__ = [
    "AnswerDecision",
    "Choose",
    "Fork",
    "GoOn",
    "Load",
    "Navigation",
    "PlayerInput",
    "Retry",
    "Say",
    "Switch",
    "Undo",
    "navigate",
    "submit_input",
    "would_repeat",
]


@frozen
class Retry:
    """The last turn once more, with other words if there are any."""

    text: str = ""


def would_repeat(given: Retry, view: View) -> bool:
    """Whether a turn that is taken again would only be told a second time."""
    said = view.turn.said if view.turn is not None else ""
    return not view.may_differ and given.text.strip().casefold() in ("", said.strip().casefold())


PlayerInput: TypeAlias = Say | Choose | AnswerDecision | GoOn | Retry
"""What takes a turn."""


@frozen
class Undo:
    """Go back so many turns on this branch."""

    turns: int = 1


@frozen
class Fork:
    """Begin a branch at a turn and go on there."""

    commit: str
    name: str = ""
    """How the branch is called; empty lets it be named."""


@frozen
class Switch:
    """Go on where another branch stands."""

    branch: str


@frozen
class Load:
    """Go on from a mark, on a branch of its own."""

    name: str


Navigation: TypeAlias = Undo | Fork | Switch | Load
"""What leads elsewhere in the campaign without taking a turn."""


def submit_input(
    session: Session, given: PlayerInput, stamp: Stamp | None = None
) -> Coroutine[None, None, InputResult]:
    """Take a turn with an input."""
    match given:
        case Say(text):
            # Whether the player is sure of it is no face's business: a session asks, and keeps the answer.
            return session.say(text, stamp)
        case Choose(choice):
            return session.choose(choice, stamp)
        case AnswerDecision(decision, option, note):
            return session.answer(decision, option, note, stamp)
        case GoOn():
            return session.go_on(stamp)
        case Retry(text):
            return session.retry(text, stamp)
        case _:
            assert_never(given)


def navigate(session: Session, where: Navigation) -> Coroutine[None, None, View]:
    """Go elsewhere in the campaign."""
    match where:
        case Undo(turns):
            return session.undo(turns)
        case Fork(commit, name):
            return session.fork(commit, name)
        case Switch(branch):
            return session.switch(branch)
        case Load(name):
            return session.load(name)
        case _:
            assert_never(where)
