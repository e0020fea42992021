"""Dice tree: the parsed form of a roll, and its limits.

A tree contains no randomness. It can be rolled any number of times, and its odds can be computed.
"""

from typing import Literal, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class DiceLimits:
    """Limits for one expression, so that no text can keep a server busy."""

    length: int = 200
    """Characters of the text."""

    dice: int = 500
    """Dice in all pools together, before explosions."""

    sides: int = 1000
    """Sides of one die."""

    explosions: int = 10
    """How often one die may explode."""

    depth: int = 16
    """Nesting depth of parentheses and signs."""

    result: int = 1_000_000_000
    """Absolute limit of a number and of every intermediate result."""

    label: int = 40
    """Characters of one label."""


DEFAULT_LIMITS = DiceLimits()

FATE_SHIFT = 2
"""A Fate die is drawn as 1 to 3 and reads -1 to +1."""

NO_FACES = range(0)
"""The faces of a rule that is not set."""


class DiceError(TalewrightError):
    """The text is not a roll that this game accepts; the message says what it accepts."""

    def __init__(self, message: str, column: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.column = column
        """Position in the text, counted from one."""


@frozen
class NumberPart:
    """A whole number."""

    value: int

    @property
    def low(self) -> int:
        """The minimum total."""
        return self.value

    @property
    def high(self) -> int:
        """The maximum total."""
        return self.value


@frozen
class PoolRules:
    """The rules of a pool. They apply in this order, whatever their order in the text."""

    reroll: range
    """Faces that are rolled once more; the second one counts."""

    explode: range
    """Faces that add another face to the same die."""

    explosions: int
    """How often one die may explode."""

    least: int
    """A lower face counts as this; the lowest face if there is no such rule."""

    most: int
    """A higher face counts as this; the highest face if there is no such rule."""

    drop_high: int
    """Number of highest dice dropped. Dice of equal value rank in the order rolled."""

    drop_low: int
    """Number of lowest dice dropped."""

    success: range | None
    """If set, the total is the number of faces of the kept dice with a value in this range."""

    only_drops: bool
    """Whether every die has one face and counts as just that."""


@frozen
class Pool:
    """Dice of one kind rolled together."""

    text: str
    """As written, `4d6kh3`."""

    count: int
    sides: int
    """Sides of a die; 3 for a Fate die with the faces -1, 0 and +1."""

    fate: bool
    rules: PoolRules | None
    """None if every die counts as its one face."""

    low: int
    """The minimum total."""

    high: int
    """The maximum total."""


@frozen
class NegativePart:
    """A sign before a part."""

    part: "DicePart"
    low: int
    high: int


Operator: TypeAlias = Literal["+", "-", "*", "/"]


def combine(operator: Operator, left: int, right: int) -> int:
    """The result of an operator; `/` rounds down to a whole number, so -7/2 is -4."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else left // right


@frozen
class Pair:
    """Two parts and their operator."""

    operator: Operator
    left: "DicePart"
    right: "DicePart"
    low: int
    high: int


@frozen
class Group:
    """A part in parentheses."""

    part: "DicePart"
    low: int
    high: int


@frozen
class Labelled:
    """A part with a label, `2d6[fire]`."""

    part: "DicePart"
    label: str
    low: int
    high: int


DicePart: TypeAlias = Pool | NumberPart | Pair | Labelled | Group | NegativePart


def has_negative_count(part: DicePart) -> bool:
    """Whether a sign stands right before dice, as in `-2d6`: they are not subtracted from anything."""
    match part:
        case NegativePart():
            inner = part.part.part if isinstance(part.part, Labelled) else part.part
            return isinstance(inner, Pool) or has_negative_count(inner)
        case Pair():
            return has_negative_count(part.left) or has_negative_count(part.right)
        case Labelled() | Group():
            return has_negative_count(part.part)
        case _:
            return False


@frozen
class Dice:
    """A whole expression, ready to roll."""

    text: str
    root: DicePart
    pools: tuple[Pool, ...]
    """The pools in the order they are read and rolled."""

    def __str__(self) -> str:
        return self.text
