"""Rulings: the rules' answers to moves, what a ruling may wait for, and the flaws of a reply.

Values only: a ruling changes nothing, and a flaw is about the text of a reply, never about the changes it
proposes.
"""

from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Move
from talewright.kernel.state.changes import Change


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
