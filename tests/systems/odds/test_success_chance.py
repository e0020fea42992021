"""Chances: exact to the ten-thousandth, on every machine."""

from fractions import Fraction

import pytest

from talewright.common.json_values import Json
from talewright.systems.odds.success_chance import chance_of, to_number, to_units


@pytest.mark.parametrize(
    ("skill", "difficulty", "p"),
    [
        (14, 6_000, 0.18),
        (30, 2_000, 0.9),
        (0, 0, 0.5),
        (10, 7_000, 0.05),
        (2, 5_000, 0.05),
        (3, 5_000, 0.06),
        (40, 3_499, 0.95),
        (40, 3_501, 0.9499),
        (-100, 0, 0.05),
        (1_000_000, 10_000, 0.95),
        (1, 3, 0.5197),
    ],
)
def test_a_chance_follows_the_formula(skill: int, difficulty: int, p: float) -> None:
    assert to_number(chance_of(skill, difficulty)) == p


def test_no_chance_differs_from_the_exact_fraction() -> None:
    low, high = Fraction(5, 100), Fraction(95, 100)
    for skill in range(-10, 61):
        for units in range(0, 10_001, 37):
            exact = Fraction(1, 2) + Fraction(skill, 50) - Fraction(units, 10_000)
            assert Fraction(chance_of(skill, units), 10_000) == max(low, min(high, exact))


def test_numbers_have_one_spelling() -> None:
    assert repr(to_number(0)) == "0"
    assert repr(to_number(10_000)) == "1"
    assert repr(to_number(1_800)) == "0.18"
    assert all(to_units(to_number(units)) == units for units in range(10_001))


UNITS: list[tuple[Json, int | None]] = [
    (0.6, 6_000),
    (1, 10_000),
    (0, 0),
    (0.0, 0),
    ("0.6", 6_000),
    (" .25 ", 2_500),
    (0.60001, None),
    (0.1 + 0.2, None),
    (-0.2, None),
    (-1, None),
    (1_001, None),
    (10**5_000, None),
    (True, None),
    (None, None),
    ([0.6], None),
    ("hard", None),
    ("", None),
    ("1e3", None),
    ("٠.٦", None),
    ("0." + "6" * 40, None),
    (float("nan"), None),
    (float("inf"), None),
]


@pytest.mark.parametrize(("number", "units"), UNITS, ids=range(len(UNITS)))
def test_what_counts_as_ten_thousandths(number: Json, units: int | None) -> None:
    assert to_units(number) == units
