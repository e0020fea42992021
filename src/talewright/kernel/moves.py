"""Moves: deeds that somebody proposes; nothing has happened yet.

A move holds what was asked for, as it was asked. `updates` and `resolution` judge it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from talewright.kernel.documents import Json

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


@dataclass(frozen=True, slots=True)
class Update:
    """One operation on one place of the state."""

    op: Op
    path: str
    """Dotted or a JSON pointer, as it was written."""

    value: Json = None
    reason: str = ""
    """Words for the log; in an author's update the key of a text."""


@dataclass(frozen=True, slots=True)
class Call:
    """A system's own move, named by its tool."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    id: str = ""
    """The caller's name for this call, by which a decision finds it again."""


@dataclass(frozen=True, slots=True)
class End:
    """The proposal to end the game."""

    ending: str
    reason: str = ""


Move: TypeAlias = Update | Call | End
