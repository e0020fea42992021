"""Deeds: what takes a turn, as values, and how each is put to the session.

Nothing is shown here; the screen does that before and after.
"""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from talewright.play.session import InputResult, Session


@dataclass(frozen=True, slots=True)
class Say:
    """Words of the player's own."""

    text: str


@dataclass(frozen=True, slots=True)
class Choose:
    """One of the choices."""

    choice: str
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the options of a decision."""

    decision: str
    option: str
    note: str
    label: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let the story go on, or finish the turn that was not finished."""

    label: str = ""


@dataclass(frozen=True, slots=True)
class Retry:
    """The last turn once more, with other words if there are any."""

    text: str = ""


Deed: TypeAlias = Say | Choose | Answer | GoOn | Retry
"""What takes a turn."""


def submit(session: Session, deed: Deed) -> Awaitable[InputResult]:
    """Put a deed to the session."""
    match deed:
        case Say(text):
            return session.say(text)
        case Choose(choice):
            return session.choose(choice)
        case Answer(decision, option, note):
            return session.answer(decision, option, note)
        case GoOn():
            return session.go_on()
        case Retry(text):
            return session.retry(text)
        case _:
            assert_never(deed)


def tell(deed: Deed) -> str:
    """What the player said by it, while the turn is not finished yet."""
    match deed:
        case Say(text) | Retry(text):
            return text
        case Choose(_, label) | GoOn(label):
            return label
        case Answer(_, _, note, label):
            return f"{label}: {note}" if note else label
        case _:
            assert_never(deed)
