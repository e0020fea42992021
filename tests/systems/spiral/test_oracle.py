"""The oracle: exact probabilities, held against counting every throw."""

from fractions import Fraction
from itertools import product

import pytest

from talewright.systems.spiral.oracle import (
    DEFAULT_ORACLE,
    FlushOn,
    OracleEffect,
    chance_of,
    net_of,
    odds_of,
    with_flush_on,
)


@pytest.mark.parametrize("dice", range(1, 6))
def test_the_highest_of_so_many_dice_is_counted_exactly(dice: int) -> None:
    throws = [max(throw) for throw in product(range(1, 7), repeat=dice)]
    for face in range(1, 7):
        assert chance_of(face, dice) == Fraction(throws.count(face), len(throws))


def test_no_dice_are_a_botch() -> None:
    assert [chance_of(face, 0) for face in range(1, 7)] == [1, 0, 0, 0, 0, 0]
    assert odds_of(DEFAULT_ORACLE, 0)[-1] == ("No, and...", Fraction(1))


@pytest.mark.parametrize("dice", [0, 1, 2, 7, 40])
def test_odds_are_whole_and_told_best_first(dice: int) -> None:
    odds = odds_of(DEFAULT_ORACLE, dice)
    assert [word for word, _ in odds] == ["Yes, and...", "Yes, but...", "No, but...", "No...", "No, and..."]
    assert sum(share for _, share in odds) == 1


def test_same_words_count_together() -> None:
    assert dict(odds_of(DEFAULT_ORACLE, 1))["Yes, but..."] == Fraction(1, 3)


def test_the_table_is_that_of_the_original_design() -> None:
    assert {face: answer.effects for face, answer in DEFAULT_ORACLE.answers.items()} == {
        6: (OracleEffect.REMOVE_GLITCH,),
        5: (OracleEffect.ADD_GLITCH,),
        4: (OracleEffect.ADD_GLITCH,),
        3: (),
        2: (OracleEffect.FLUSH,),
        1: (OracleEffect.FLUSH, OracleEffect.CONDITION),
    }
    assert [DEFAULT_ORACLE.costs_glitch(face) for face in range(1, 7)] == [
        False,
        False,
        False,
        True,
        True,
        False,
    ]


def test_only_a_botch_flushes_where_the_author_wants_it() -> None:
    assert with_flush_on(DEFAULT_ORACLE, FlushOn.FAILURE) is DEFAULT_ORACLE
    table = with_flush_on(DEFAULT_ORACLE, FlushOn.BOTCH)
    assert table.read(2).effects == ()
    assert table.read(2).word == "No..."
    assert table.read(1).effects == (OracleEffect.FLUSH, OracleEffect.CONDITION)


@pytest.mark.parametrize(("action", "danger", "net"), [(3, 2, 1), (1, 1, 0), (1, 5, 0), (4, 0, 4)])
def test_danger_cancels_action(action: int, danger: int, net: int) -> None:
    assert net_of(action, danger) == net
