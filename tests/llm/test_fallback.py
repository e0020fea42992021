"""Fallback: who is asked when, who rests, and that a turn is told while one of two is up."""

import asyncio

import pytest

from talewright.llm.fallback import Fallback
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Again, Text, Usage, Used, gather
from talewright.llm.retry import RetryingProvider, RetryLimits
from tests.llm.doubles import DONE, REQUEST, Failing, Time, broken, busy, leave_early, listen

TURNS = 1_000


def test_the_first_answers() -> None:
    first, second = Failing(DONE, name="first"), Failing(DONE, name="second")
    fallback = Fallback([first, second], clock=Time().clock)
    assert listen(fallback) == (list(DONE), None)
    assert (first.asked, second.asked) == (1, 0)
    assert fallback.profile.name == "first"


@pytest.mark.parametrize("trouble", Trouble)
def test_whatever_the_trouble_the_next_is_asked(trouble: Trouble) -> None:
    fallback = Fallback(
        [Failing([ProviderError(trouble, "x", unpaid=True)]), Failing(DONE)], clock=Time().clock
    )
    assert listen(fallback) == (list(DONE), None)


def test_after_text_the_reply_begins_anew() -> None:
    fallback = Fallback([Failing([Text("He"), broken(Usage(5, 1))]), Failing(DONE)], clock=Time().clock)
    heard, error = listen(fallback)
    assert heard == [Text("He"), Used(Usage(5, 1)), Again("it broke"), *DONE]
    assert error is None
    assert gather(heard).usage == Usage(15, 3)


def test_the_last_failure_is_told() -> None:
    last = ProviderError(Trouble.MONEY, "run out", unpaid=True)
    assert listen(Fallback([Failing([busy()]), Failing([last])], clock=Time().clock)) == ([], last)


def test_the_cost_of_all_failures_goes_by() -> None:
    fallback = Fallback(
        [Failing([Text("a"), broken(Usage(1))]), Failing([broken(Usage(2))])], clock=Time().clock
    )
    heard, error = listen(fallback)
    assert gather(heard).usage == Usage(3)
    assert error is not None
    assert error.usage is None


def test_after_a_restart_within_all_of_the_cost_is_in_the_chunks() -> None:
    first = Failing([Text("a"), Used(Usage(10, 1)), Again("within"), Text("b"), broken(Usage(5, 1))])
    heard, error = listen(Fallback([first]))
    assert gather(heard).usage == Usage(15, 2)
    assert error is not None
    assert error.usage is None


def test_whoever_answers_rests_no_longer() -> None:
    down, back = Failing([busy()]), Failing([busy()], DONE)
    fallback = Fallback([down, back], clock=Time().clock)
    # Both have failed and rest; the second is back before its rest is over.
    assert listen(fallback)[1] is not None
    assert listen(fallback) == (list(DONE), None)
    assert listen(fallback) == (list(DONE), None)
    assert (down.asked, back.asked) == (2, 3)


def test_an_ask_costs_at_most_twice() -> None:
    third = Failing(DONE)
    fallback = Fallback([Failing([broken()]), Failing([broken()]), third], clock=Time().clock)
    assert listen(fallback)[1] is not None
    assert third.asked == 0


def test_one_that_failed_rests() -> None:
    time = Time()
    first, second = Failing([busy()], DONE), Failing(DONE)
    fallback = Fallback([first, second], rest_seconds=60.0, clock=time.clock)
    listen(fallback)
    time.now = 59.9
    listen(fallback)
    assert (first.asked, second.asked) == (1, 2)
    time.now = 60.0
    listen(fallback)
    assert (first.asked, second.asked) == (2, 2)


def test_one_that_rests_is_asked_where_the_others_fail() -> None:
    first, second = Failing([busy()], DONE), Failing(DONE, [busy()])
    fallback = Fallback([first, second], clock=Time().clock)
    assert [listen(fallback)[1] for _ in range(2)] == [None, None]
    assert (first.asked, second.asked) == (2, 2)


def test_with_one_of_two_down_every_turn_is_told() -> None:
    time = Time()
    down, up = Failing([busy()], [Text("He"), broken()]), Failing(DONE)
    limits = RetryLimits(paid_tries_max=1)
    fallback = Fallback(
        [
            RetryingProvider(p, limits, sleep=time.sleep, clock=time.clock, jitter=lambda: 0.5)
            for p in (down, up)
        ],
        clock=time.clock,
    )

    async def run() -> None:
        for turn in range(TURNS):
            time.now += 30.0
            heard = [chunk async for chunk in fallback.stream(REQUEST)]
            assert gather(heard).text == "He nods.", turn

    asyncio.run(run())
    # One that is down is looked at now and then, not in every turn.
    assert up.asked == TURNS
    assert down.asked <= TURNS / 2 + 2


def test_closing_reaches_all() -> None:
    class Stuck(Failing):
        async def close(self) -> None:
            await super().close()
            raise ProviderError(Trouble.UNREACHABLE, "stuck")

    providers = [Failing(DONE), Stuck(DONE), Failing(DONE)]
    fallback = Fallback(providers)
    assert leave_early(fallback) == Text("He nods.")
    assert providers[0].open == 0
    with pytest.raises(ProviderError):
        asyncio.run(fallback.close())
    assert [provider.closed for provider in providers] == [1, 1, 1]


def test_nobody_to_ask() -> None:
    with pytest.raises(AssertionError):
        Fallback([])
