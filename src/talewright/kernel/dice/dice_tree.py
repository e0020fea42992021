"""Dice tree: a roll as it is written, taken apart, and the limits it must keep.

A tree has no chance in it. It can be rolled any number of times and asked for its odds.
"""

from typing import Literal, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class DiceLimits:
    """What one expression may ask for, so that no text can keep a server busy."""

    length: int = 200
    """Characters of the text."""

    dice: int = 500
    """Dice in all pools together, before any explodes."""

    sides: int = 1000
    """Sides of one die."""

    explosions: int = 10
    """How often one die explodes before it stops."""

    depth: int = 16
    """Parentheses and signs inside one another."""

    result: int = 1_000_000_000
    """How far from zero a number or any result on the way may lie."""

    label: int = 40
    """Characters of one label."""


DEFAULT_LIMITS = DiceLimits()

FATE_SHIFT = 2
"""A Fate die is drawn as 1 to 3 and reads -1 to +1."""

NO_FACES = range(0)
"""What a rule that does not stand is about."""


class DiceError(TalewrightError):
    """The text is no roll that this game takes; the message says what would be."""

    def __init__(self, message: str, column: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.column = column
        """Where in the text, counted from one."""


@frozen
class NumberPart:
    """A whole number."""

    value: int

    @property
    def low(self) -> int:
        """The least total."""
        return self.value

    @property
    def high(self) -> int:
        """The greatest total."""
        return self.value


@frozen
class PoolRules:
    """How the dice of a pool are read. Whatever the order in the text, they work in this order."""

    reroll: range
    """Faces that are drawn once more; the second stands."""

    explode: range
    """Faces that bring one more face to the same die."""

    explosions: int
    """How often one die explodes at most."""

    least: int
    """A face below is worth this; without such a rule the lowest face."""

    most: int
    """A face above is worth this; without such a rule the highest face."""

    drop_high: int
    """Dice left out from the highest down. Dice of equal worth rank in the order they fell."""

    drop_low: int
    """Dice left out from the lowest up."""

    success: range | None
    """Where it stands, the total is how many faces of the kept dice are worth what lies in it."""

    only_drops: bool
    """Whether every die has one face and is worth just that."""


@frozen
class Pool:
    """Dice of one kind that are rolled together."""

    text: str
    """As it is written, `4d6kh3`."""

    count: int
    sides: int
    """Sides of a die; 3 for a Fate die, whose faces are -1, 0 and +1."""

    fate: bool
    rules: PoolRules | None
    """None where every die is worth its one face."""

    low: int
    """No total is less."""

    high: int
    """No total is greater."""


@frozen
class NegativePart:
    """A sign before a part."""

    part: "DicePart"
    low: int
    high: int


Operator: TypeAlias = Literal["+", "-", "*", "/"]


def combine(operator: Operator, left: int, right: int) -> int:
    """What a pair makes of two numbers; `/` divides down to a whole number, so -7/2 is -4."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else left // right


@frozen
class Pair:
    """Two parts and what is made of them."""

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
    """A part with a word for what it is, `2d6[fire]`."""

    part: "DicePart"
    label: str
    low: int
    high: int


DicePart: TypeAlias = Pool | NumberPart | Pair | Labelled | Group | NegativePart


@frozen
class Dice:
    """A whole expression, ready to roll."""

    text: str
    root: DicePart
    pools: tuple[Pool, ...]
    """The pools in the order they are read and rolled."""

    def __str__(self) -> str:
        return self.text
