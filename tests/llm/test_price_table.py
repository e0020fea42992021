"""The price table: it is what `make prices` would write, and the rows have their prices from it."""

from datetime import UTC, date, time
from decimal import Decimal

import pytest
from genai_prices.types import (
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    StartDateConstraint,
    Tier,
    TieredPrices,
    TimeOfDateConstraint,
)

from talewright.llm.known_models import SERVICES
from talewright.llm.price_table import PRICE_TABLE, PRICES_DAY, PRICES_VERSION
from talewright.llm.profiles import Prices
from tools import prices

DAY = date(2026, 11, 15)


def price(paid: str, told: str, **more: Decimal | TieredPrices) -> ModelPrice:
    return ModelPrice(input_mtok=Decimal(paid), output_mtok=Decimal(told), **more)


def model(listed: ModelPrice | list[ConditionalPrice]) -> ModelInfo:
    return ModelInfo("some-model", ClauseEquals("some-model"), prices=listed)


def test_the_table_is_what_the_installed_data_give() -> None:
    table = prices.TABLE.read_text("utf-8")
    if table != prices.write_table(date.fromisoformat(PRICES_DAY)):
        pytest.fail("run `make prices`", pytrace=False)
    assert PRICES_VERSION in table
    assert prices.collect_prices(date.fromisoformat(PRICES_DAY)) == PRICE_TABLE


def test_every_price_stands_in_its_row() -> None:
    rows = {
        (service.name, name): row for service in SERVICES.values() for name, row in service.models.items()
    }
    assert PRICE_TABLE
    assert {key: rows[key].prices for key in PRICE_TABLE} == PRICE_TABLE


def test_a_row_for_many_models_has_no_price() -> None:
    assert not [key for key in prices.collect_prices(DAY) if key[1][-1] in "-/."]
    assert SERVICES["openai"].models["gpt-5."].prices is None


def test_prices_are_read_with_those_of_the_cache() -> None:
    assert prices.read_prices(model(price("1", "2")), DAY) == Prices(1.0, 2.0)
    kept = price("1", "2", cache_read_mtok=Decimal("0.1"), cache_write_mtok=Decimal("1.25"))
    assert prices.read_prices(model(kept), DAY) == Prices(1.0, 2.0, 0.1, 1.25)
    assert prices.read_prices(model(ModelPrice(input_mtok=Decimal(1))), DAY) is None


def test_a_short_prompt_is_meant() -> None:
    tiered = TieredPrices(Decimal("0.5"), [Tier(200_000, Decimal(9))])
    assert prices.read_prices(model(price("1", "2", cache_read_mtok=tiered)), DAY) == Prices(1.0, 2.0, 0.5)


@pytest.mark.parametrize(("start", "paid"), [(date(2026, 11, 15), 3.0), (date(2026, 11, 16), 2.0)])
def test_the_dearest_hours_of_the_day_are_meant(start: date, paid: float) -> None:
    busy = TimeOfDateConstraint(time(16, 30, tzinfo=UTC), time(17, 0, tzinfo=UTC))
    listed = [
        ConditionalPrice(prices=price("1", "4")),
        ConditionalPrice(busy, prices=price("2", "4")),
        ConditionalPrice(StartDateConstraint(start), prices=price("3", "4")),
    ]
    assert prices.read_prices(model(listed), DAY) == Prices(paid, 4.0)


def test_a_table_keeps_its_day_as_long_as_nothing_else_changes() -> None:
    old = prices.write_table(DAY)
    assert prices.renew(old, date(2026, 11, 16)) == old
    stale = old.replace("Prices(", "Prices(1", 1)
    assert prices.read_day(prices.renew(stale, date(2026, 11, 16))) == date(2026, 11, 16)
