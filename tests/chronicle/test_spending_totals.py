"""Totals of spending: summed up by model, whatever a body says."""

import pytest

from talewright.chronicle.records import Json
from talewright.chronicle.spending_totals import ModelSpending, SpendingTotals, read_totals, write_totals

QUILL: Json = {"model": "quill", "input_tokens": 30, "output_tokens": 7, "cached_tokens": 20, "dollars": 0.25}
REED: Json = {"model": "reed", "input_tokens": 3, "output_tokens": 2, "cached_tokens": 0, "estimated": True}


def test_sums_by_model() -> None:
    totals = SpendingTotals().add({"spent": [QUILL]}).add({"spent": [QUILL, REED], "usage": QUILL})
    assert totals.by_model == {
        "quill": ModelSpending(60, 14, 40, 0.5),
        "reed": ModelSpending(3, 2, 0, 0.0, unpriced=True, estimated=True),
    }
    assert totals.whole == ModelSpending(63, 16, 40, 0.5, unpriced=True, estimated=True)
    assert read_totals(write_totals(totals)) == totals  # type: ignore[arg-type]  # as JSON gives it back
    assert SpendingTotals().whole == ModelSpending()


def test_a_sum_without_a_model() -> None:
    totals = SpendingTotals().add({"usage": {"input_tokens": 5, "output_tokens": 1, "cached_tokens": 0}})
    assert totals.by_model == {"": ModelSpending(5, 1, 0, 0.0, unpriced=True)}


@pytest.mark.parametrize("body", [{}, {"spent": "much"}, {"spent": []}, {"spent": [4]}, {"usage": 3}])
def test_bodies_that_say_nothing(body: dict[str, Json]) -> None:
    totals = SpendingTotals().add({"spent": [QUILL]})
    assert totals.add(body) is totals


def test_what_is_no_number_counts_as_none() -> None:
    totals = SpendingTotals().add({"spent": [{"input_tokens": "many", "dollars": "dear"}]})
    assert totals.by_model == {"": ModelSpending(unpriced=True)}
