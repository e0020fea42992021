"""Budgets: sums of what was spent, by model and in all, and the bounds of one budget over another."""

import pytest

from talewright.common.json_values import Json
from talewright.llm.profiles import Prices, Profile
from talewright.llm.reply_chunks import Usage
from talewright.turn.spending import (
    CampaignSpendingTracker,
    Spending,
    SpendingBudget,
    SpendingSum,
    join,
    read_spendings,
    spend,
    sum_up,
    write_spendings,
)

A = Spending("a", Usage(100, 10, 40), 0.25)
B = Spending("b", Usage(7, 1), 0.5)
FREE_OF_PRICE = Spending("a", Usage(1, 2, estimated=True))


def test_a_usage_gets_the_price_of_its_model() -> None:
    priced = Profile("p", prices=Prices(1.0, 4.0, 0.5))
    assert spend(Usage(1_000_000, 500_000, 400_000), priced) == Spending(
        "p", Usage(1_000_000, 500_000, 400_000), 0.6 + 0.2 + 2.0
    )
    assert spend(Usage(5, 5), Profile("unpriced")) == Spending("unpriced", Usage(5, 5), None)


def test_spendings_are_joined_by_model_in_order() -> None:
    assert join([B, A, A]) == (B, Spending("a", Usage(200, 20, 80), 0.5))
    # A sum with an unknown part is unknown.
    assert join([A, FREE_OF_PRICE]) == (Spending("a", Usage(101, 12, 40, True), None),)
    assert join([FREE_OF_PRICE, A]) == (Spending("a", Usage(101, 12, 40, True), None),)
    assert join([]) == ()


def test_a_free_model_costs_nothing_and_that_is_known() -> None:
    free = Spending("f", Usage(1, 1), 0.0)
    assert (free + free).dollars == 0.0


def test_spendings_are_kept_and_read() -> None:
    kept = write_spendings([A, FREE_OF_PRICE, B])
    assert kept == [
        {"model": "a", "input_tokens": 101, "output_tokens": 12, "cached_tokens": 40, "estimated": True},
        {"model": "b", "input_tokens": 7, "output_tokens": 1, "cached_tokens": 0, "dollars": 0.5},
    ]
    assert read_spendings({"spent": kept}) == (Spending("a", Usage(101, 12, 40, True), None), B)
    tiny = write_spendings([Spending("a", Usage(1), 0.0000000123456)])
    assert read_spendings({"spent": tiny})[0].dollars == 0.000000012


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({}, ()),
        ({"usage": None}, ()),
        ({"spent": "much", "usage": None}, ()),
        (
            {"usage": {"input_tokens": 3, "output_tokens": 2, "cached_tokens": 1}},
            (Spending("", Usage(3, 2, 1)),),
        ),
    ],
)
def test_records_that_say_less(body: dict[str, Json], found: tuple[Spending, ...]) -> None:
    assert read_spendings(body) == found


def test_everything_together() -> None:
    assert sum_up([A, B, FREE_OF_PRICE]) == SpendingSum(121, 0.75)
    assert sum_up([]) == SpendingSum(0, 0.0)


FULL = SpendingBudget(1.0, 2, 3.0, 4)


@pytest.mark.parametrize(
    ("budget", "in_dollars", "is_bound"),
    [
        (SpendingBudget(), False, False),
        (SpendingBudget(campaign_dollars=0.0), True, True),
        (SpendingBudget(turn_dollars=0.0), True, True),
        (SpendingBudget(campaign_tokens=0), False, True),
        (SpendingBudget(turn_tokens=0), False, True),
        (FULL, True, True),
    ],
)
def test_what_a_budget_bounds(budget: SpendingBudget, in_dollars: bool, is_bound: bool) -> None:
    assert (budget.in_dollars, budget.is_bound) == (in_dollars, is_bound)
    tracker = CampaignSpendingTracker(budget)
    assert tracker.limits_tokens is (budget.campaign_tokens is not None)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (SpendingBudget(), FULL, FULL),
        (FULL, SpendingBudget(9.0, 9, 9.0, 9), FULL),
        (SpendingBudget(campaign_tokens=0, turn_dollars=0.0), FULL, SpendingBudget(1.0, 0, 0.0, 4)),
        (SpendingBudget(campaign_dollars=0.0, turn_tokens=0), FULL, SpendingBudget(0.0, 2, 3.0, 0)),
    ],
)
def test_one_budget_over_another(
    first: SpendingBudget, second: SpendingBudget, together: SpendingBudget
) -> None:
    assert first.over(second) == together
