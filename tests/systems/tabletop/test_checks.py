"""Checks against tables that are made by another method: by listing what the kernel's dice can show."""

import itertools
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from talewright.kernel.dice.dice_odds import distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.systems.tabletop.checks import (
    LADDER,
    CheckOutcome,
    CheckResult,
    CheckRule,
    D20Options,
    Edge,
    ModifierRule,
    check_d20,
    check_fate,
    check_pbta,
    dice_for,
    edge_of,
    ladder_value,
    modifier_of,
)
from tests.systems.tabletop.check_tables import (
    D20_TABLE,
    FATE_TABLE,
    PBTA_TABLE,
    ROWS,
    list_cases,
    read_table,
)


@pytest.mark.parametrize("name", ROWS)
def test_tables_have_at_least_a_hundred_cases(name: str) -> None:
    assert len({(case.dice, case.modifier, case.difficulty) for case in list_cases(name)}) >= 100


def test_d20_agrees_with_the_table() -> None:
    cases = 0
    for head, cells in read_table(D20_TABLE):
        difficulty, modifier = (int(number) for number in head.removeprefix("DC").split(","))
        assert len(cells) == 20
        for natural, wanted in enumerate(cells, 1):
            result = check_d20([natural], modifier, difficulty)
            assert result.outcome == wanted, (head, natural)
            assert result.margin == natural + modifier - difficulty
            cases += 1
    assert cases == 180


@pytest.mark.parametrize("edge", [Edge.ADVANTAGE, Edge.DISADVANTAGE])
def test_d20_with_an_edge_counts_one_of_two(edge: Edge) -> None:
    for one, other in itertools.product(range(1, 21), repeat=2):
        result = check_d20([one, other], 3, 14, edge)
        counted = sorted((one, other))[edge is Edge.ADVANTAGE]
        assert result == CheckResult(
            CheckRule.D20, (one, other), counted, 3, counted + 3, 14, counted - 11, result.outcome
        )
        assert result.outcome == check_d20([counted], 3, 14).outcome


def test_d20_without_naturals_only_compares() -> None:
    plain = D20Options(naturals=False)
    for natural, modifier, difficulty in itertools.product(range(1, 21), range(-3, 8), range(2, 28, 5)):
        outcome = check_d20([natural], modifier, difficulty, options=plain).outcome
        assert (outcome is CheckOutcome.SUCCESS) == (natural + modifier in range(difficulty, 100))
        assert outcome in (CheckOutcome.SUCCESS, CheckOutcome.FAILURE)


CRITICAL_MARGIN_CASES = [
    (15, 5, 10, "critical_success"),
    (14, 5, 10, "success"),
    (5, 5, 10, "success"),
    (4, 5, 10, "failure"),
    (5, 0, 15, "critical_failure"),
    (6, 0, 15, "failure"),
    (20, 5, 30, "success"),
    (20, 0, 25, "success"),
    (20, 0, 31, "failure"),
    (20, 0, 15, "critical_success"),
    (20, 9, 10, "critical_success"),
    (1, 9, 10, "failure"),
    (1, 19, 10, "success"),
    (1, 5, 10, "critical_failure"),
    (1, 0, 25, "critical_failure"),
]


@pytest.mark.parametrize(("natural", "modifier", "difficulty", "wanted"), CRITICAL_MARGIN_CASES)
def test_a_critical_margin_makes_degrees_that_naturals_move(
    natural: int, modifier: int, difficulty: int, wanted: str
) -> None:
    options = D20Options(critical_margin=10)
    assert check_d20([natural], modifier, difficulty, options=options).outcome == wanted


def test_pbta_agrees_with_the_table() -> None:
    cases = 0
    for head, cells in read_table(PBTA_TABLE):
        assert len(cells) == 11
        for one, other in itertools.product(range(1, 7), repeat=2):
            result = check_pbta([one, other], int(head))
            assert result.outcome == cells[one + other - 2], (head, one, other)
            assert (result.difficulty, result.margin) == (None, one + other + int(head) - 7)
            cases += 1
    assert cases == 360


def test_fate_agrees_with_the_table() -> None:
    cases = 0
    for head, cells in read_table(FATE_TABLE):
        skill, difficulty = (int(number) for number in head.split(","))
        assert len(cells) == 9
        for dice in itertools.product((-1, 0, 1), repeat=4):
            result = check_fate(dice, skill, difficulty)
            assert result.outcome == cells[sum(dice) + 4], (head, dice)
            cases += 1
    assert cases == 13 * 81


COUNTED = {CheckRule.D20: range(1, 21), CheckRule.PBTA: range(1, 7), CheckRule.FATE: range(-1, 2)}


@pytest.mark.parametrize("edge", Edge)
@pytest.mark.parametrize("rule", COUNTED)
def test_what_counts_is_what_the_dice_of_the_kernel_total(rule: CheckRule, edge: Edge) -> None:
    """All faces listed, against the exact odds of the notation that `dice_for` gives."""
    dice = parse(dice_for(rule, edge))
    check: Callable[[tuple[int, ...]], CheckResult] = {
        CheckRule.D20: lambda faces: check_d20(faces, 0, 10, edge),
        CheckRule.PBTA: lambda faces: check_pbta(faces, 0, edge),
        CheckRule.FATE: lambda faces: check_fate(faces, 0, 0, edge),
    }[rule]
    rolls = list(itertools.product(COUNTED[rule], repeat=dice.pools[0].count))
    totals = Counter(check(faces).total for faces in rolls)
    exact = {total: Fraction(count, len(rolls)) for total, count in totals.items()}
    assert exact == dict(distribution(dice).items())


def test_a_rule_that_is_not_known_has_no_dice() -> None:
    assert dice_for(CheckRule.OTHER) == dice_for(CheckRule.OTHER, Edge.ADVANTAGE) == ""


def test_advantage_and_disadvantage_cancel_out() -> None:
    assert edge_of(True, False) is Edge.ADVANTAGE
    assert edge_of(False, True) is Edge.DISADVANTAGE
    assert edge_of(True, True) is edge_of(False, False) is Edge.NONE


def test_modifiers() -> None:
    scores = {1: -5, 3: -4, 7: -2, 8: -1, 9: -1, 10: 0, 11: 0, 14: 2, 15: 2, 18: 4, 20: 5, 30: 10}
    assert {score: modifier_of(score, ModifierRule.SCORE) for score in scores} == scores
    assert modifier_of(-1, ModifierRule.VALUE) == -1


def test_ladder() -> None:
    assert [ladder_value(step) for step in LADDER] == list(range(-2, 9))
    assert ladder_value(" Great ") == 4
    assert ladder_value("impossible") is None


def test_result_as_json() -> None:
    assert check_d20([13], 2, 15).to_json() == {
        "rule": "d20",
        "individualRolls": [13],
        "modifier": 2,
        "total": 15,
        "outcome": "success",
        "margin": 0,
        "difficulty": 15,
    }
    pbta = check_pbta([1, 3], 1)
    assert "difficulty" not in pbta.to_json()
    assert not pbta.succeeded
    assert check_fate([0, 0, 0, 0], 0).succeeded


@pytest.mark.parametrize(
    ("dice", "edge"), [([], Edge.NONE), ([21], Edge.NONE), ([0], Edge.NONE), ([3], Edge.ADVANTAGE)]
)
def test_dice_that_cannot_have_been_rolled_are_a_mistake_of_the_caller(dice: list[int], edge: Edge) -> None:
    with pytest.raises(AssertionError):
        check_d20(dice, 0, 10, edge)


@pytest.mark.parametrize(
    ("result", "bands"),
    [
        # The difficulty says it all.
        (check_d20((14,), 5, 13), []),
        (check_d20((14,), 5, 25), []),
        # A natural 1 always fails, a natural 20 always succeeds.
        (check_d20((14,), 5, 6), [(6, "critical_failure"), (7, "success"), (25, "critical_success")]),
        (check_d20((14,), 0, 30), [(1, "critical_failure"), (2, "failure"), (20, "critical_success")]),
        (check_pbta((3, 4), 1), [(3, "failure"), (7, "partial_success"), (10, "success")]),
        (check_pbta((3, 4), 6), [(8, "partial_success"), (10, "success")]),
        (
            check_fate((1, 0, 0, 0), 2, 2),
            [(-2, "failure"), (2, "partial_success"), (3, "success"), (5, "critical_success")],
        ),
    ],
)
def test_which_totals_had_which_outcome(result: CheckResult, bands: list[tuple[int, str]]) -> None:
    assert result.bands == [{"from": total, "outcome": outcome} for total, outcome in bands]
