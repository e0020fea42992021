"""Ranges: what can come out when numbers known by their bounds are reckoned with.

Every operation rounds the way evaluation does, and rounding never turns two numbers about; so the
outermost results are those of the bounds. Nothing here knows which expression asked.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import assert_never

from talewright.kernel.documents import INTEGER_MAX
from talewright.kernel.language.expressions import ArithmeticSign
from talewright.kernel.outlook.domains import Domain, Number, Numbers, bounded


@dataclass(frozen=True, slots=True)
class Possible:
    """What an expression may give, and whether it may have no answer."""

    domain: Domain | None
    """None where it never has an answer; `fails` then adds nothing."""

    fails: bool = False


def above(value: Number, whole: bool) -> Number:
    """The least number greater than one."""
    return math.floor(value) + 1 if whole else math.nextafter(value, math.inf)


def below(value: Number, whole: bool) -> Number:
    """The greatest number less than one."""
    return math.ceil(value) - 1 if whole else math.nextafter(value, -math.inf)


def reckon(sign: ArithmeticSign, left: Numbers, right: Numbers) -> Possible:
    """What a sum, difference, product or quotient of two numbers may be."""
    whole = left.whole and right.whole
    match sign:
        case "+":
            return settle([left.low + right.low, left.high + right.high], whole)
        case "-":
            return settle([left.low - right.high, left.high - right.low], whole)
        case "*":
            return settle([one * other for one, other in _corners(left, right)], whole)
        case "/":
            return _divide(left, right)
        case _:
            assert_never(sign)


def settle(results: list[Number], whole: bool) -> Possible:
    """The numbers among results that can be written, and whether some cannot."""
    low, high = min(results), max(results)
    fails = low < -INTEGER_MAX or high > INTEGER_MAX
    return Possible(bounded(max(low, -INTEGER_MAX), min(high, INTEGER_MAX), whole), fails)


def _divide(left: Numbers, right: Numbers) -> Possible:
    """Quotients on either side of zero; at zero itself there is none."""
    negative = bounded(right.low, min(right.high, below(0, right.whole)), right.whole)
    positive = bounded(max(right.low, above(0, right.whole)), right.high, right.whole)
    sides = [side for side in (negative, positive) if isinstance(side, Numbers)]
    quotients = [one / other for side in sides for one, other in _corners(left, side)]
    if not quotients:
        return Possible(None)
    possible = settle(quotients, whole=False)
    return replace(possible, fails=possible.fails or right.low <= 0 <= right.high)


def _corners(left: Numbers, right: Numbers) -> Iterable[tuple[Number, Number]]:
    return product((left.low, left.high), (right.low, right.high))
