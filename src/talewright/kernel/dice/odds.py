"""Dice odds: the exact distribution of a roll.

Nothing is rolled and nothing is rounded; what would take too long is refused.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, sqrt
from typing import assert_never

from talewright.kernel.dice.tree import (
    Dice,
    DiceError,
    Group,
    Labelled,
    Negative,
    Number,
    Operator,
    Pair,
    Part,
    Pool,
)
from talewright.kernel.dice.ways import TooManyWaysError, Ways, pair_ways, pool_ways, sum_ways


@dataclass(frozen=True, slots=True)
class Distribution:
    """How likely each total is."""

    weights: tuple[tuple[int, int], ...]
    """Each total that can fall, ascending, with its share of the ways, in lowest terms."""

    ways: int
    """All shares together."""

    def items(self) -> tuple[tuple[int, Fraction], ...]:
        """Each total that can fall, ascending, with its chance."""
        return tuple((total, Fraction(weight, self.ways)) for total, weight in self.weights)

    def at_least(self, target: int) -> Fraction:
        """The chance of the target or more."""
        return Fraction(sum(weight for total, weight in self.weights if total >= target), self.ways)

    @property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum(total * weight for total, weight in self.weights), self.ways)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean."""
        squares = Fraction(sum(total * total * weight for total, weight in self.weights), self.ways)
        return squares - self.mean**2

    @property
    def deviation(self) -> float:
        """How far from the mean a roll usually lies: the root of the variance."""
        return sqrt(self.variance)


def distribution(dice: Dice) -> Distribution:
    """The chance of every total."""
    try:
        ways = _count(dice.root)
    except TooManyWaysError:
        raise DiceError(
            f"the exact odds of {dice.text} take too long to work out; "
            "fewer dice, sides, explosions or products are taken",
            1,
            "Roll it many times instead to see how it falls.",
        ) from None
    common = gcd(*ways.values())
    weights = tuple((total, ways[total] // common) for total in sorted(ways))
    return Distribution(weights, sum(weight for _, weight in weights))


def _count(part: Part) -> Ways:
    match part:
        case Pool():
            return pool_ways(part)
        case Number():
            return {part.value: 1}
        case Pair():
            return _count_pair(part.operator, _count(part.left), _count(part.right))
        case Labelled() | Group():
            return _count(part.part)
        case Negative():
            return _negate(_count(part.part))
        case _:
            assert_never(part)


def _count_pair(operator: Operator, left: Ways, right: Ways) -> Ways:
    # No pool stands in a tree twice, so the two sides never depend on each other.
    if operator == "+":
        return sum_ways(left, right)
    if operator == "-":
        return sum_ways(left, _negate(right))
    return pair_ways(left, right, int.__mul__ if operator == "*" else int.__floordiv__)


def _negate(ways: Ways) -> Ways:
    return {-total: count for total, count in ways.items()}
