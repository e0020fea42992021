"""Ranges: bounds of results, held against the results themselves."""

import math
import random

import pytest

from talewright.kernel.conditions.expression_tree import ArithmeticSign
from talewright.kernel.conditions.value_domains import (
    Number,
    NumberDomain,
    Possible,
    above,
    below,
    reckon,
    settle,
)
from talewright.kernel.state.documents import INTEGER_MAX, rounded_number


def whole(low: int, high: int) -> NumberDomain:
    return NumberDomain(low, high, whole=True)


def test_neighbours() -> None:
    assert (above(3, whole=True), below(3, whole=True)) == (4, 2)
    assert (above(3.5, whole=True), below(3.5, whole=True)) == (4, 3)
    assert above(3, whole=False) == math.nextafter(3, math.inf) > 3
    assert below(3, whole=False) == math.nextafter(3, -math.inf) < 3


ALL = INTEGER_MAX
FULL = whole(-ALL, ALL)

RESULTS: list[tuple[NumberDomain, ArithmeticSign, NumberDomain, Possible]] = [
    (whole(1, 5), "+", whole(-2, 3), Possible(whole(-1, 8))),
    (whole(1, 5), "-", whole(-2, 3), Possible(whole(-2, 7))),
    (whole(1, 5), "*", whole(-2, 3), Possible(whole(-10, 15))),
    (whole(-5, 1), "*", whole(-2, 3), Possible(whole(-15, 10))),
    (whole(1, 5), "+", NumberDomain(0.5, 1), Possible(NumberDomain(1.5, 6))),
    (NumberDomain(0.5, 1), "*", whole(2, 3), Possible(NumberDomain(1, 3))),
    (NumberDomain(0.5, 1), "-", NumberDomain(0.5, 1), Possible(NumberDomain(-0.5, 0.5))),
    (whole(4, 8), "/", whole(2, 4), Possible(NumberDomain(1, 4))),
    (whole(4, 8), "/", whole(-4, -2), Possible(NumberDomain(-4, -1))),
    (whole(-8, 8), "/", whole(1, 2), Possible(NumberDomain(-8, 8))),
    (whole(4, 8), "/", whole(0, 2), Possible(NumberDomain(2, 8), fails=True)),
    (whole(4, 8), "/", whole(-2, 0), Possible(NumberDomain(-8, -2), fails=True)),
    (whole(4, 8), "/", whole(-2, 4), Possible(NumberDomain(-8, 8), fails=True)),
    (whole(4, 8), "/", whole(0, 0), Possible(None)),
    (whole(4, 8), "/", NumberDomain(0, 2), Possible(NumberDomain(2, ALL), fails=True)),
    (whole(0, 0), "/", NumberDomain(-1, 1), Possible(NumberDomain(0, 0), fails=True)),
    (whole(1, 1), "/", NumberDomain(1e-300, 1e-300), Possible(None, fails=True)),
    (FULL, "+", whole(1, 1), Possible(whole(1 - ALL, ALL), fails=True)),
    (FULL, "-", whole(1, 1), Possible(whole(-ALL, ALL - 1), fails=True)),
    (FULL, "+", whole(0, 0), Possible(FULL)),
    (whole(ALL, ALL), "+", whole(1, 2), Possible(None, fails=True)),
    (whole(-ALL, -ALL), "-", whole(1, 2), Possible(None, fails=True)),
    (whole(ALL - 1, ALL), "+", whole(0, 1), Possible(whole(ALL - 1, ALL), fails=True)),
    (whole(2, 3), "*", whole(ALL, ALL), Possible(None, fails=True)),
]


@pytest.mark.parametrize(("left", "sign", "right", "possible"), RESULTS)
def test_results(left: NumberDomain, sign: ArithmeticSign, right: NumberDomain, possible: Possible) -> None:
    assert reckon(sign, left, right) == possible


def test_settle() -> None:
    assert settle([3, 1, 2], whole=True) == Possible(whole(1, 3))
    assert settle([-ALL, ALL], whole=True) == Possible(FULL)
    assert settle([-ALL - 1, ALL], whole=True) == Possible(FULL, fails=True)
    assert settle([-ALL, ALL + 1], whole=True) == Possible(FULL, fails=True)
    assert settle([0, math.inf], whole=False) == Possible(NumberDomain(0, ALL), fails=True)


def test_no_result_is_out_of_bounds() -> None:
    rng = random.Random(7)
    points: list[Number] = [*range(-4, 5), 0.1, -0.1, 0.3, 2.5, 1e-5, 1e16 / 3, -1e15 - 0.5, ALL, -ALL]
    operations = {"+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": float.__truediv__}
    signs: tuple[ArithmeticSign, ...] = ("+", "-", "*", "/")
    for _ in range(2_000):
        one, two = sorted(rng.choices(points, k=2)), sorted(rng.choices(points, k=2))
        sign = rng.choice(signs)
        possible = reckon(sign, NumberDomain(one[0], one[1]), NumberDomain(two[0], two[1]))
        for left in [point for point in points if one[0] <= point <= one[1]]:
            for right in [point for point in points if two[0] <= point <= two[1]]:
                none = sign == "/" and right == 0
                result = None if none else rounded_number(operations[sign](float(left), float(right)))
                if result is None:
                    assert possible.fails or possible.domain is None
                else:
                    assert isinstance(possible.domain, NumberDomain)
                    assert possible.domain.low <= result <= possible.domain.high
