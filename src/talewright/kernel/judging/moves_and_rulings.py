"""Moves and rulings: what somebody proposes, what the rules make of it, and the flaws of a telling.

Values only: a move holds what was asked for as it was asked, a ruling changes nothing, and a flaw
judges the telling, never what the telling wanted to change.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change

MODEL = "model"
PLAYER = "player"
ENGINE = "engine"
"""What the rules themselves do: once marks, scenes seen, derived values."""

PROPOSERS = frozenset({MODEL, PLAYER})
"""Causes without authority over readonly and secret slots."""


class Op(StrEnum):
    """What an update does. The first six are the cards' own; the others serve JSON Patch dialects."""

    SET = "set"
    INC = "inc"
    DEC = "dec"
    PUSH = "push"
    REMOVE = "remove"
    TOGGLE = "toggle"
    INSERT = "insert"
    """A new key of an open object, or an element at a list index."""

    DELETE = "delete"
    """A key of an open object, or the element at a list index."""

    TEST = "test"
    """A precondition; it changes nothing."""


CARD_OPS = (Op.SET, Op.INC, Op.DEC, Op.PUSH, Op.REMOVE, Op.TOGGLE)


@frozen
class Update:
    """One operation on one place of the state."""

    op: Op
    path: str
    """Dotted or a JSON pointer, as it was written."""

    value: Json = None
    reason: str = ""
    """Words for the log; in an author's update the key of a text."""


@frozen
class Call:
    """A system's own move, named by its tool."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    id: str = ""
    """The caller's name for this call, by which a decision finds it again."""


@frozen
class End:
    """The proposal to end the game."""

    ending: str
    reason: str = ""


Move: TypeAlias = Update | Call | End


class Grade(StrEnum):
    """Why a refusal was given: worth asking again, or outside the proposer's authority."""

    MEND = "mend"
    DROP = "drop"


@frozen
class Option:
    """One answer a player may give to a decision."""

    id: str
    label: str


@frozen
class Decision:
    """A card the player answers before a move can be judged."""

    id: str
    question: str
    options: tuple[Option, ...]
    lines: tuple[str, ...] = ()
    """What the player should know before answering: the odds, the stakes."""

    takes_note: bool = False
    """Whether the answer may carry the player's own words (a contest)."""

    note_with: str = ""
    """The one option that those words go with; empty: they may go with any."""


class ErrandWeight(StrEnum):
    """How much help an errand deserves."""

    MAIN = "main"
    CHEAP = "cheap"


@frozen
class Errand:
    """A question in words whose answer is data; a system asks it and never learns who answered."""

    id: str
    question: str
    answer_schema: Json
    """JSON Schema of the answer."""

    weight: ErrandWeight = ErrandWeight.CHEAP
    answer_tokens: int = 600
    """How long the answer may be."""


@frozen
class Granted:
    """The move happened; so did these changes."""

    move: Move
    changes: tuple[Change, ...] = ()
    result: Json = None
    """What a call answers to its caller."""


@frozen
class Refused:
    """The move did not happen."""

    move: Move
    grade: Grade
    reason: str
    """What is wrong and what would be accepted."""


@frozen
class Waiting:
    """The move cannot be judged yet; asked again with the answer, it can."""

    move: Move
    need: Decision | Errand


Ruling: TypeAlias = Granted | Refused | Waiting


class Refusal(Exception):
    """A value or an operation that the rules do not take."""

    def __init__(self, grade: Grade, reason: str) -> None:
        super().__init__(reason)
        self.grade = grade
        self.reason = reason


def mend(reason: str) -> Refusal:
    """A refusal worth asking again for."""
    return Refusal(Grade.MEND, reason)


def drop(reason: str) -> Refusal:
    """A refusal for lack of authority."""
    return Refusal(Grade.DROP, reason)


@frozen
class Flaw:
    """One thing to mend in an answer."""

    message: str
    soft: bool = False
    """Told once and never asked for again."""
