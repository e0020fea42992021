"""Session inputs: player inputs and navigation commands as values.

`turn` defines the inputs it takes; this module adds those that only a session knows. The ports do not import
this module, because the terminal loads them before its first paint, and `turn` only after it.
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
    """The last turn again, with other words if given."""

    text: str = ""


def would_repeat(given: Retry, view: View) -> bool:
    """Whether a retry would only repeat the same turn."""
    said = view.turn.said if view.turn is not None else ""
    return not view.may_differ and given.text.strip().casefold() in ("", said.strip().casefold())


PlayerInput: TypeAlias = Say | Choose | AnswerDecision | GoOn | Retry
"""Inputs that take a turn."""


@frozen
class Undo:
    """Go back a number of turns on this branch."""

    turns: int = 1


@frozen
class Fork:
    """Start a branch at a turn and continue there."""

    commit: str
    name: str = ""
    """The branch's name; empty to have one chosen."""


@frozen
class Switch:
    """Continue at the head of another branch."""

    branch: str


@frozen
class Load:
    """Continue from a mark, on a new branch."""

    name: str


Navigation: TypeAlias = Undo | Fork | Switch | Load
"""Moves in the campaign that take no turn."""


def submit_input(
    session: Session, given: PlayerInput, stamp: Stamp | None = None
) -> Coroutine[None, None, InputResult]:
    """Take a turn with an input."""
    match given:
        case Say(text):
            # Faces never ask for confirmation: a session does, and records the answer.
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
