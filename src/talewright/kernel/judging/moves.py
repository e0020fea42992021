"""Moves: proposed actions, and who proposes them.

Values only: a move holds a proposal as it was made. `rulings` are the rules' answers.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json

MODEL = "model"


MASTER = "master"
"""An external game master; `master:<system>` for what it changes with a tool on its own authority."""

REASON = "reason"
"""The argument in which a game master says why it changes something on its own authority."""

PLAYER = "player"


ENGINE = "engine"
"""The rules' own changes: once marks, scenes seen, derived values."""


PROPOSERS = frozenset({MODEL, MASTER, PLAYER})
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
