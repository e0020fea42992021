"""Describing: prices and places as a person reads them."""

import pytest

from talewright.config.model_settings import (
    ModelSettings,
    describe_place,
    describe_prices,
    describe_turns,
    money,
)
from talewright.llm.profiles import FREE, Prices


@pytest.mark.parametrize(
    ("dollars", "told"),
    [
        (0.0, "$0"),
        (2.0, "$2"),
        (2.5, "$2.5"),
        (12.345, "$12.35"),
        (0.25, "$0.25"),
        (0.025, "$0.025"),
        (0.01, "$0.01"),
        (0.00321, "$0.0032"),
        (0.00001, "$0.000010"),
        (100.0, "$100"),
    ],
)
def test_money(dollars: float, told: str) -> None:
    assert money(dollars) == told


def test_prices() -> None:
    assert describe_prices(None) == "price unknown"
    assert describe_prices(FREE) == "free"
    assert describe_prices(Prices(0.25, 2.0, 0.025)) == "$0.25 in, $0.025 cached, $2 out per million tokens"
    assert describe_prices(Prices(1, 2)) == "$1 in, $2 out per million tokens"


def test_what_an_evening_costs() -> None:
    assert describe_turns(None) == ""
    assert describe_turns(FREE) == ""
    # 3,000 tokens in full, 10,000 from the cache and 350 written, a hundred times.
    assert describe_turns(Prices(1.0, 10.0, 0.1)) == "about $0.75 for 100 turns"


def test_a_place() -> None:
    model = ModelSettings(name="a", model="x", base_url="http://127.0.0.1:8080/v1")
    assert describe_place(model) == "x at 127.0.0.1:8080"
