"""Expression tree: the parsed form of a condition.

A tree is a value. It knows neither the text it came from nor the slots it reads.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal as OneOf
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.kernel.state.state_paths import Path

TURN: Path = ("turn",)
"""Represents the word `turn`, the number of the current turn, among the paths read."""

RESERVED_WORDS = frozenset({"and", "or", "not", "in", "true", "false", "turn"})
"""Words that cannot be the name of a root, since a condition could not read it."""

Word: TypeAlias = OneOf["and", "or"]
ArithmeticSign: TypeAlias = OneOf["+", "-", "*", "/"]
ComparisonSign: TypeAlias = OneOf["==", "!=", ">=", "<=", ">", "<"]

WORDS: tuple[Word, ...] = ("and", "or")
ARITHMETIC_SIGNS: tuple[ArithmeticSign, ...] = ("+", "-", "*", "/")
COMPARISON_SIGNS: tuple[ComparisonSign, ...] = ("==", "!=", ">=", "<=", ">", "<")


class ValueType(StrEnum):
    """The type of an expression's value."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    LIST = "list"
    OBJECT = "object"


PHRASES = {
    ValueType.NUMBER: "a number",
    ValueType.BOOLEAN: "true or false",
    ValueType.TEXT: "a text",
    ValueType.LIST: "a list",
    ValueType.OBJECT: "an object",
}


class ExpressionError(ValueError):
    """The text is not a valid expression, or does not fit the slots of its game."""

    def __init__(self, message: str, column: int, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        """Character position in the whole text, counted from one."""

        self.suggestion = suggestion
        """What to write instead, as a whole sentence; empty if the message already says it."""


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A literal number, text, `true` or `false`."""

    value: bool | int | float | str
    column: int = 0

    def __eq__(self, other: object) -> bool:
        # Python treats `True` as `1`; the language does not.
        return (
            isinstance(other, Literal) and type(self.value) is type(other.value) and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash(self.value)


@frozen
class PathReading:
    """The value at a path of the state."""

    path: Path
    column: int = field(default=0, compare=False)


@frozen
class TurnNumber:
    """The number of the current turn."""

    column: int = field(default=0, compare=False)


@frozen
class Negative:
    """A negated number."""

    operand: "Node"
    column: int = field(default=0, compare=False)


@frozen
class Not:
    """The opposite of a condition."""

    operand: "Node"
    column: int = field(default=0, compare=False)


@frozen
class Junction:
    """Two or more conditions joined by one word; a long chain stays flat."""

    word: Word
    parts: tuple["Node", ...]
    column: int = field(default=0, compare=False)


@frozen
class Arithmetic:
    """An arithmetic operation on two numbers."""

    sign: ArithmeticSign
    left: "Node"
    right: "Node"
    column: int = field(default=0, compare=False)


@frozen
class Comparison:
    """A comparison of two values."""

    sign: ComparisonSign
    left: "Node"
    right: "Node"
    column: int = field(default=0, compare=False)


@frozen
class FunctionCall:
    """A call to one of the condition functions; `x in y` is `has(y, x)`."""

    function: str
    """Its name in `condition_functions`."""

    arguments: tuple["Node", ...]
    column: int = field(default=0, compare=False)


Node: TypeAlias = (
    Literal | PathReading | TurnNumber | Negative | Not | Junction | Arithmetic | Comparison | FunctionCall
)

ReadPlace: TypeAlias = PathReading | TurnNumber
"""A node that reads from outside the text."""


def children_of(tree: Node) -> tuple[Node, ...]:
    """The direct children of a node."""
    match tree:
        case Literal() | PathReading() | TurnNumber():
            return ()
        case Negative() | Not():
            return (tree.operand,)
        case Junction():
            return tree.parts
        case Arithmetic() | Comparison():
            return (tree.left, tree.right)
        case FunctionCall():
            return tree.arguments
        case _:
            assert_never(tree)


def nodes_of(tree: Node) -> Iterator[Node]:
    """Every node of a tree, in no particular order."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children_of(node))


def reads_of(tree: Node) -> frozenset[Path]:
    """Every path a tree reads, and TURN if it reads the turn number."""
    nodes = nodes_of(tree)
    return frozenset(
        TURN if isinstance(node, TurnNumber) else node.path for node in nodes if isinstance(node, ReadPlace)
    )
