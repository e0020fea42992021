"""Ways: counted in whole numbers, and each limit holds exactly where it says."""

from collections.abc import Callable
from math import comb

import pytest

from talewright.kernel.dice import dice_odds as dice_ways
from talewright.kernel.dice.dice_odds import TooManyWaysError, Ways, pair_ways, pool_ways, sum_ways
from talewright.kernel.dice.dice_pool_parser import read_pool
from talewright.kernel.dice.dice_tree import DiceLimits


def ways(text: str, explosions: int = 10) -> Ways:
    found = read_pool(text, 0, DiceLimits(explosions=explosions), None)
    assert found is not None
    return pool_ways(found[0])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("d4", {1: 1, 2: 1, 3: 1, 4: 1}),
        ("dF", {-1: 1, 0: 1, 1: 1}),
        ("2dF", {-2: 1, -1: 2, 0: 3, 1: 2, 2: 1}),
        ("2d3", {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}),
        ("d3ro1", {1: 1, 2: 4, 3: 4}),
        ("d3ro<3", {1: 2, 2: 2, 3: 5}),
        ("d4mi3", {3: 3, 4: 1}),
        ("d4ma2", {1: 1, 2: 3}),
        ("d6s>=5", {0: 4, 1: 2}),
        ("2d6s>=5", {0: 16, 1: 16, 2: 4}),
        ("2d3kh1", {1: 1, 2: 3, 3: 5}),
        ("2d3kl1", {1: 5, 2: 3, 3: 1}),
        ("3d2dh1dl1", {1: 4, 2: 4}),
        ("2d3kh2", {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}),
        ("3dFkh1", {-1: 1, 0: 7, 1: 19}),
        ("3dFkl1", {-1: 19, 0: 7, 1: 1}),
        ("2d4s>=3kh1", {0: 4, 1: 12}),
        ("2d4s>=3kl1", {0: 12, 1: 4}),
    ],
)
def test_pools(text: str, counted: Ways) -> None:
    assert ways(text) == counted


def test_exploding() -> None:
    assert ways("d2e2", 1) == {1: 2, 3: 1, 4: 1}
    assert ways("d2e2", 2) == {1: 4, 3: 2, 5: 1, 6: 1}
    assert ways("d2e1", 2) == {2: 4, 3: 3, 4: 1}
    assert ways("d4s>=3e4", 1) == {0: 8, 1: 6, 2: 2}


def test_dice_of_equal_value_may_score_differently() -> None:
    # Nine ways of one die: value 1 three times; 3 with a success three times and once without (2 then 1);
    # 4 once (2 then 2); 5 with a success once (2 then 3).
    assert ways("d3s=3e2", 1) == {0: 5, 1: 4}
    assert ways("2d3s=3e2kh1", 1) == {0: 15 + 10 + 9, 1: 17 + 30}
    assert ways("2d3s=3e2kl1", 1) == {0: 45 + 8 + 3, 1: 24 + 1}


def test_wide_pools_are_counted_exactly() -> None:
    assert ways("60d2") == {60 + twos: comb(60, twos) for twos in range(61)}
    assert sum(ways("40d10kh20").values()) == 10**40


def test_sums() -> None:
    assert sum_ways({1: 1, 2: 1}, {1: 2, 2: 3}) == {2: 2, 3: 5, 4: 3}
    assert sum_ways({-5: 1, 5: 2}, {-1: 1, 1: 1}) == {-6: 1, -4: 1, 4: 2, 6: 2}
    assert sum_ways({7: 3}, {-7: 5}) == {0: 15}
    assert sum_ways({0: 255, 1: 1, 2: 1}, {0: 255, 1: 1}) == {0: 65025, 1: 510, 2: 256, 3: 1}


def test_pairs() -> None:
    assert pair_ways({2: 1, 3: 4}, {2: 1, 4: 1}, int.__mul__) == {4: 1, 8: 1, 6: 4, 12: 4}
    assert pair_ways({-7: 1, 7: 1}, {2: 1}, int.__floordiv__) == {-4: 1, 3: 1}


# The tables of these are small enough to count by hand: places of whole bytes, wide enough for all ways.
LIMITED = [
    ("LONG_BITS_MAX", lambda: ways("2d6"), 8 * 1 * 11),
    ("LONG_BITS_MAX", lambda: ways("4d6"), 8 * 2 * 21),
    ("LONG_BITS_MAX", lambda: ways("4d6s>=5"), 8 * 2 * 5),
    ("LONG_BITS_MAX", lambda: ways("4d6kh3"), 8 * 2 * 16),
    ("LONG_BITS_MAX", lambda: ways("4dFkl2"), 8 * 1 * 5),
    ("LONG_BITS_MAX", lambda: ways("8d2"), 8 * 2 * 9),
    ("LONG_BITS_MAX", lambda: sum_ways(ways("2d6"), ways("2d6")), 8 * 2 * 21),
    # Values, pairs of ranks, places, and the square of the digits of one place.
    ("RANK_STEPS_MAX", lambda: ways("4d6kh3"), 6 * 6 * 16 * 1),
    ("RANK_STEPS_MAX", lambda: ways("4d6kl3"), 6 * 6 * 16 * 1),
    ("RANK_STEPS_MAX", lambda: ways("4d6kh1"), 6 * 1 * 6 * 1),
    ("RANK_STEPS_MAX", lambda: ways("4d6dh1"), 6 * 6 * 16 * 1),
    ("RANK_STEPS_MAX", lambda: ways("6d6dh3dl1"), 6 * 6 * 11 * 1),
    ("RANK_STEPS_MAX", lambda: ways("12d6kh1"), 6 * 1 * 6 * 2 * 2),
    ("PAIR_BITS_MAX", lambda: pair_ways({1: 1, 2: 1}, {1: 1, 2: 1, 3: 1}, int.__mul__), 6 * 64),
    ("PAIR_BITS_MAX", lambda: pair_ways({1: 2**40, 2: 1}, {1: 2**30}, int.__mul__), 2 * 71),
    ("PAIR_BITS_MAX", lambda: sum_ways({1: 1, 90: 1}, {1: 1, 2: 1}), 4 * 64),
    ("PAIR_BITS_MAX", lambda: ways("d6e6", 1), 6 * 64),
    ("PAIR_BITS_MAX", lambda: ways("2d6kh1e>=5", 1), 2 * 6 * 64),
    ("PAIR_BITS_MAX", lambda: ways("2d6kh1e>=5", 2), (2 * 6 + 2 * 11) * 64),
]


@pytest.mark.parametrize(("name", "count", "limit"), LIMITED)
def test_limits(monkeypatch: pytest.MonkeyPatch, name: str, count: Callable[[], Ways], limit: int) -> None:
    counted = count()
    monkeypatch.setattr(dice_ways, name, limit)
    assert count() == counted
    monkeypatch.setattr(dice_ways, name, limit - 1)
    with pytest.raises(TooManyWaysError):
        count()
