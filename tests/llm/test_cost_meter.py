"""The meter: every ask is entered once, however it ended, and money is counted rather up than down."""

import asyncio
from dataclasses import replace

import pytest

from talewright.llm.cost_meter import Metered, cost, cost_by_profile
from talewright.llm.profiles import FREE, Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Again, Chunk, Text, Usage, Used
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.llm.token_estimate import estimate_tokens
from tests.llm.doubles import DONE, REQUEST, Failing, broken, busy, leave_early, listen

INPUT_TOKENS = estimate_tokens("Go on.") + 4


def meter(*steps: Chunk | ProviderError) -> tuple[Metered, list[tuple[Usage, str]]]:
    book: list[tuple[Usage, str]] = []
    return Metered(Failing(steps), lambda usage, profile: book.append((usage, profile.name))), book


def test_what_the_provider_says() -> None:
    metered, book = meter(*DONE)
    assert listen(metered) == (list(DONE), None)
    assert book == [(Usage(10, 2), "failing")]


def test_what_has_given_something_was_not_free_whatever_its_failure_says() -> None:
    metered, book = meter(Text("He"), busy())
    assert listen(metered)[1] is not None
    ((usage, _),) = book
    assert (usage.input_tokens, usage.estimated) == (INPUT_TOKENS, True)
    patient = RetryingProvider(Failing([Text("He"), busy()]), RetryLimits(tries_max=9, paid_tries_max=1))
    assert len(listen(patient)[0]) == 1


def test_a_silent_provider_is_guessed() -> None:
    metered, book = meter(DONE[0], DONE[2])
    listen(metered)
    assert book == [(Usage(INPUT_TOKENS, estimate_tokens("He nods."), estimated=True), "failing")]


def test_a_reply_that_began_anew() -> None:
    metered, book = meter(Text("a"), Used(Usage(1, 1)), Again("x"), Again("y"), *DONE)
    listen(metered)
    assert book == [(Usage(11, 3), "failing")]


def test_a_failure_that_says_its_cost() -> None:
    metered, book = meter(Used(Usage(1)), Again("x"), Text("a"), broken(Usage(7, 1)))
    assert listen(metered)[1] is not None
    assert book == [(Usage(8, 1), "failing")]


def test_a_request_that_was_turned_away_is_not_entered() -> None:
    metered, book = meter(busy())
    assert listen(metered)[1] is not None
    assert book == []


def test_an_answer_that_nobody_hears_to_its_end() -> None:
    metered, book = meter(*DONE)
    assert leave_early(metered) == Text("He nods.")
    assert book == [(Usage(INPUT_TOKENS, estimate_tokens("He nods."), estimated=True), "failing")]

    async def never() -> None:
        await metered.stream(REQUEST).aclose()
        await metered.close()

    asyncio.run(never())
    assert len(book) == 1


PRICES = Prices(input=2.0, output=8.0, cached_input=0.5)
COSTS = [
    (Usage(1_000_000), PRICES, 2.0),
    (Usage(0, 1_000_000), PRICES, 8.0),
    (Usage(1_000_000, 0, 400_000), PRICES, 1.2 + 0.2),
    (Usage(1_000_000, 0, 400_000), replace(PRICES, cached_input=None), 2.0),
    (Usage(1_000_000, 0, 400_000), replace(PRICES, cache_write=2.5), 1.5 + 0.2),
    (Usage(1_000_000), replace(PRICES, cache_write=1.0), 2.0),
    (Usage(100, 0, 1_000_000), PRICES, 100 * 0.5 / 1_000_000),
    (Usage(5_000, 800, 4_000), PRICES, (1_000 * 2 + 4_000 * 0.5 + 800 * 8) / 1_000_000),
    (Usage(1_000_000, 1_000_000), FREE, 0.0),
]


@pytest.mark.parametrize(("usage", "prices", "dollars"), COSTS)
def test_money(usage: Usage, prices: Prices, dollars: float) -> None:
    assert cost(usage, prices) == pytest.approx(dollars)
    assert cost_by_profile(usage, Profile("x", prices=prices)) == pytest.approx(dollars)


def test_no_price_is_no_guess() -> None:
    assert cost_by_profile(Usage(1), Profile("x")) is None


def test_an_error_keeps_its_words_with_another_cost() -> None:
    error = ProviderError(Trouble.SLOW, "m", "h", retry_after_seconds=3.0, usage=Usage(1), unpaid=True)
    other = error.costing(Usage(2))
    told = (other.trouble, other.message, other.hint, other.retry_after_seconds, other.usage, other.unpaid)
    assert told == (Trouble.SLOW, "m", "h", 3.0, Usage(2), True)
    assert error.usage == Usage(1)
