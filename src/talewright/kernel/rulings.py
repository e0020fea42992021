"""Rulings: what the rules make of a proposed move.

A ruling is a value. It changes nothing; `resolution` applies it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from talewright.kernel.changes import Change
from talewright.kernel.documents import Json
from talewright.kernel.moves import Move


class Grade(StrEnum):
    """Why a refusal was given: worth asking again, or outside the proposer's authority."""

    MEND = "mend"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer a player may give to a decision."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
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


class Weight(StrEnum):
    """How much help an errand deserves."""

    MAIN = "main"
    CHEAP = "cheap"


@dataclass(frozen=True, slots=True)
class Errand:
    """A question in words whose answer is data; a system asks it and never learns who answered."""

    id: str
    question: str
    answer_schema: Json
    """JSON Schema of the answer."""

    weight: Weight = Weight.CHEAP
    answer_tokens: int = 600
    """How long the answer may be."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The move happened; so did these changes."""

    move: Move
    changes: tuple[Change, ...] = ()
    result: Json = None
    """What a call answers to its caller."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The move did not happen."""

    move: Move
    grade: Grade
    reason: str
    """What is wrong and what would be accepted."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The move cannot be judged yet; asked again with the answer, it can."""

    move: Move
    need: Decision | Errand


Ruling: TypeAlias = Granted | Refused | Waiting
