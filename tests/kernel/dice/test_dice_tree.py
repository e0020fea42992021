"""The tree: limits, errors, and what a pair makes of two numbers."""

import pytest

from talewright.errors import TalewrightError
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import (
    DEFAULT_LIMITS,
    DiceError,
    DiceLimits,
    NumberPart,
    Operator,
    combine,
    has_negative_count,
)


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("+", 7, 2, 9),
        ("-", 7, 2, 5),
        ("*", 7, 2, 14),
        ("/", 7, 2, 3),
        ("/", -7, 2, -4),
        ("/", 7, -2, -4),
        ("/", -7, -2, 3),
    ],
)
def test_combine(operator: Operator, left: int, right: int, result: int) -> None:
    assert combine(operator, left, right) == result


def test_number_is_its_own_bounds() -> None:
    assert (NumberPart(4).low, NumberPart(4).high) == (4, 4)


def test_limits_by_default() -> None:
    limits = DiceLimits(length=200, dice=500, sides=1000, explosions=10, depth=16, result=10**9, label=40)
    assert limits == DEFAULT_LIMITS


def test_error_has_message_column_and_hint() -> None:
    error = DiceError("wrong", 3, "Do right.")
    assert isinstance(error, TalewrightError)
    assert (str(error), error.message, error.column, error.hint) == ("wrong", "wrong", 3, "Do right.")
    assert DiceError("wrong", 3).hint == ""


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("-2d6", True),
        ("3+-2d6", True),
        ("-2d6[fire]", True),
        ("(-d6)*2", True),
        ("--2d6", True),
        ("2d6-1d4", False),
        ("-(2d6)", False),
        ("-3+d6", False),
    ],
)
def test_a_sign_right_before_dice_is_a_negative_count(text: str, negative: bool) -> None:
    assert has_negative_count(parse(text).root) is negative
