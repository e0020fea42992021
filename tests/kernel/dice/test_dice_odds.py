"""Odds: exact, equal to brute force, and near what many rolls give."""

import math
from fractions import Fraction

import pytest

from talewright.kernel.dice.dice_odds import Distribution, distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError
from tests.sweep import dice as sweep
from tests.sweep.naive_dice import Node, count_ways, list_dice

WAYS_MAX = 600
"""Ways that brute force lists here; the sweep goes further."""

ROLLS = 1_000
ROLLED_EVERY = 8
"""Of the expressions that brute force cannot list, one in so many is rolled here; the sweep rolls all."""

LISTED = [n for n in sweep.EXPRESSIONS if math.prod(map(count_ways, list_dice(n))) <= WAYS_MAX]
OTHERS = [node for node in sweep.EXPRESSIONS if node not in LISTED]


def odds(text: str) -> Distribution:
    return distribution(parse(text))


def test_there_are_300_expressions() -> None:
    assert len({str(node) for node in sweep.EXPRESSIONS}) == sweep.FULL_COUNT == 300
    assert len(LISTED) > 100


@pytest.mark.parametrize("node", LISTED, ids=str)
def test_odds_equal_brute_force(node: Node) -> None:
    sweep.check(node, str(node), 0, WAYS_MAX)


@pytest.mark.parametrize("node", OTHERS[::ROLLED_EVERY], ids=str)
def test_odds_agree_with_rolls(node: Node) -> None:
    sweep.check(node, str(node), ROLLS, WAYS_MAX)


def test_odds_of_two_dice() -> None:
    two = odds("2d6+3")
    assert two.weights == tuple(zip(range(5, 16), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1), strict=True))
    assert two.ways == 36
    assert two.items()[0] == (5, Fraction(1, 36))
    assert two.items()[5] == (10, Fraction(1, 6))
    chances = [two.at_least(target) for target in (-3, 5, 10, 15, 16)]
    assert chances == [1, 1, Fraction(7, 12), Fraction(1, 36), 0]
    assert [two.mean, two.variance] == [10, Fraction(35, 6)]
    assert two.deviation == pytest.approx(2.41522945769824, abs=1e-13)


def test_weights_are_in_lowest_terms() -> None:
    assert odds("d6*0+1") == Distribution(((1, 1),), 1)
    assert odds("d4/2+d2*0") == Distribution(((0, 1), (1, 2), (2, 1)), 4)


KNOWN = [
    ("4d6kh3", "12.244598765432098", "2.8468444453115"),
    ("d20adv", "13.825", "4.71109063805824"),
    ("d20dis", "7.175", "4.71109063805824"),
    ("4dF", "0", "1.632993161855452"),
    ("100d6", "350", "17.07825127659933"),
    ("-7/2", "-4", "0"),
    ("200d6", "700", "24.152294576982397"),
    ("100d100kh1", "99.42788593362945", "0.939799883107715"),
]


@pytest.mark.parametrize(("text", "mean", "deviation"), KNOWN)
def test_known_means(text: str, mean: str, deviation: str) -> None:
    known = odds(text)
    assert float(known.mean) == pytest.approx(float(mean), rel=1e-12)
    assert known.deviation == pytest.approx(float(deviation), rel=1e-12)


def test_exploding_counts_to_its_limit() -> None:
    die = odds("d6e6")
    assert die.ways == 6**11
    assert die.weights[-1] == (66, 1)
    assert dict(die.weights)[7] == 6**9
    assert die.mean == Fraction(7, 2) * (1 - Fraction(1, 6) ** 11) / (1 - Fraction(1, 6))


@pytest.mark.parametrize("text", ["500d1000", "100d20kh50", "d1000*3d1000", "500d2kl250", "500d6e6"])
def test_too_large_is_refused_with_a_way_out(text: str) -> None:
    with pytest.raises(DiceError) as caught:
        odds(text)
    assert caught.value.message == (
        f"the exact odds of {text} take too long to work out; "
        "fewer dice, sides, explosions or products are taken"
    )
    assert caught.value.hint == "Roll it many times instead to see how it falls."
    assert caught.value.column == 1
    assert caught.value.__cause__ is None
