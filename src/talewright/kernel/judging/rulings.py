"""Moves and rulings: proposed actions, the rules' answers to them, and the flaws of a reply.

Values only: a move holds a proposal as it was made, a ruling changes nothing, and a flaw is about the text of
a reply, never about the changes it proposes.
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
"""The rules' own changes: once marks, scenes seen, derived values."""

PROPOSERS = frozenset({MODEL, PLAYER})
"""Causes that may not write readonly and secret slots."""


class Op(StrEnum):
    """The operation of an update. The first six are used by cards; the others serve JSON Patch dialects."""

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
    """One operation on one place in the state."""

    op: Op
    path: str
    """Dotted or a JSON pointer, as written."""

    value: Json = None
    reason: str = ""
    """A reason for the log; in an author's update, the key of a text."""


@frozen
class Call:
    """A move handled by a system, named by its tool."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    id: str = ""
    """The caller's id for this call, by which a decision refers to it."""


@frozen
class End:
    """A proposal to end the game."""

    ending: str
    reason: str = ""


Move: TypeAlias = Update | Call | End


class Grade(StrEnum):
    """The kind of refusal: the proposer may retry, or lacks the authority."""

    MEND = "mend"
    DROP = "drop"


@frozen
class Option:
    """One possible answer to a decision."""

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
    """Whether the answer may include the player's own words (a contest)."""

    note_with: str = ""
    """The only option that takes a note; empty allows it with any."""


class ErrandWeight(StrEnum):
    """How capable a model an errand needs."""

    MAIN = "main"
    CHEAP = "cheap"


@frozen
class Errand:
    """A question to a model with a structured answer; the system that asks never learns who answered."""

    id: str
    question: str
    answer_schema: Json
    """JSON Schema of the answer."""

    weight: ErrandWeight = ErrandWeight.CHEAP
    answer_tokens: int = 600
    """Maximum length of the answer, in tokens."""

    optional: bool = False
    """Whether the call can be judged without it: if nobody answers, the answer is None. After a turn, a slow
    model is not asked.
    """

    apart: bool = False
    """Whether to hide it from the storyteller, because it says what the storyteller must not know."""


@frozen
class Granted:
    """The move happened, with these changes."""

    move: Move
    changes: tuple[Change, ...] = ()
    result: Json = None
    """What a call returns to its caller."""


@frozen
class Refused:
    """The move did not happen."""

    move: Move
    grade: Grade
    reason: str
    """What is wrong and what would be accepted."""


@frozen
class Waiting:
    """The move cannot be judged yet; it can be once the answer is there."""

    move: Move
    need: Decision | Errand


Ruling: TypeAlias = Granted | Refused | Waiting


class Refusal(Exception):
    """A value or an operation that the rules reject."""

    def __init__(self, grade: Grade, reason: str) -> None:
        super().__init__(reason)
        self.grade = grade
        self.reason = reason


def mend(reason: str) -> Refusal:
    """A refusal that can be retried."""
    return Refusal(Grade.MEND, reason)


def drop(reason: str) -> Refusal:
    """A refusal for lack of authority."""
    return Refusal(Grade.DROP, reason)


@frozen
class Flaw:
    """One thing to fix in a reply."""

    message: str
    soft: bool = False
    """Reported once, without asking for a correction."""
