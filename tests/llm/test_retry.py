"""Patience: what is tried again, how long is waited, and what the listener learns of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Again, Chunk, Stop, StopReason, Text, Usage, Used, gather
from talewright.llm.retry import PASSING, RetryingProvider, RetryLimits
from talewright.llm.token_estimate import estimate_tokens
from tests.llm.doubles import DONE, REQUEST, Failing, Time, broken, busy, leave_early, listen

LIMITS = RetryLimits(tries_max=4, paid_tries_max=2, wait_seconds_max=20.0, first_wait_seconds=1.0)
INPUT_TOKENS = estimate_tokens("Go on.") + 4


def make(
    *asks: Sequence[Chunk | ProviderError], limits: RetryLimits = LIMITS, jitter: float = 1.0
) -> tuple[RetryingProvider, Failing, Time]:
    provider, time = Failing(*asks), Time()
    return (
        RetryingProvider(provider, limits, sleep=time.sleep, clock=time.clock, jitter=lambda: jitter),
        provider,
        time,
    )


def test_a_good_answer_is_passed_on() -> None:
    patient, provider, time = make(DONE)
    assert listen(patient) == (list(DONE), None)
    assert (provider.asked, time.slept) == (1, [])
    assert patient.profile is provider.profile


def test_a_busy_provider_is_asked_again_and_nobody_notices() -> None:
    patient, provider, time = make([busy()], [busy()], [busy()], DONE)
    assert listen(patient) == (list(DONE), None)
    assert (provider.asked, time.slept) == (4, [1.0, 2.0, 4.0])


@pytest.mark.parametrize(("jitter", "waits"), [(0.0, [0.5, 1.0]), (0.5, [0.75, 1.5]), (1.0, [1.0, 2.0])])
def test_waits_are_spread(jitter: float, waits: list[float]) -> None:
    patient, _, time = make([busy()], [busy()], DONE, jitter=jitter)
    listen(patient)
    assert time.slept == waits


def test_tries_have_an_end() -> None:
    patient, provider, _ = make([busy()])
    heard, error = listen(patient)
    assert heard == []
    assert error is not None
    assert error.trouble is Trouble.BUSY
    assert provider.asked == 4


def test_the_providers_wish_is_kept() -> None:
    patient, _, time = make([busy(7.0)], [busy(0.1)], DONE)
    assert listen(patient)[1] is None
    assert time.slept == [7.0, 2.0]


def test_a_wish_beyond_the_limit_ends_it_at_once() -> None:
    patient, provider, time = make([busy(20.5)], DONE)
    error = listen(patient)[1]
    assert error is not None
    assert error.retry_after_seconds == 20.5
    assert (provider.asked, time.slept) == (1, [])
    assert listen(make([busy(20.0)], DONE)[0])[1] is None


def test_all_waits_of_an_ask_count_together() -> None:
    patient, provider, time = make([busy(12.0)], [busy(9.0)], DONE)
    assert listen(patient)[1] is not None
    assert (provider.asked, time.slept) == (2, [12.0])


def test_no_try_begins_too_late() -> None:
    limits = replace(LIMITS, begin_seconds_max=5.0)
    assert listen(make([busy(5.0)], DONE, limits=limits)[0])[1] is None
    assert listen(make([busy(5.1)], DONE, limits=limits)[0])[1] is not None


@pytest.mark.parametrize("trouble", Trouble)
def test_only_passing_troubles_are_tried_again(trouble: Trouble) -> None:
    patient, provider, _ = make([ProviderError(trouble, "x", unpaid=True)], DONE)
    heard, error = listen(patient)
    assert (error is None, provider.asked) == ((True, 2) if trouble in PASSING else (False, 1))
    assert heard == (list(DONE) if trouble in PASSING else [])


def test_after_text_the_reply_begins_anew() -> None:
    patient, provider, _ = make([Text("He sh"), broken(Usage(10, 1))], DONE)
    heard, error = listen(patient)
    assert heard == [Text("He sh"), Used(Usage(10, 1)), Again("it broke"), *DONE]
    assert error is None
    assert provider.asked == 2
    reply = gather(heard)
    assert (reply.text, reply.usage, reply.stop) == ("He nods.", Usage(20, 3), StopReason.END)


def test_a_cost_that_was_told_is_not_told_twice() -> None:
    patient, _, _ = make([Text("He sh"), Used(Usage(10, 1)), broken()], DONE)
    heard = listen(patient)[0]
    assert heard == [Text("He sh"), Used(Usage(10, 1)), Again("it broke"), *DONE]


def test_a_cost_that_nobody_told_is_a_guess() -> None:
    patient, _, _ = make([Text("He sh"), broken()], DONE)
    heard = listen(patient)[0]
    guess = Usage(INPUT_TOKENS, estimate_tokens("He sh"), estimated=True)
    assert heard[1:3] == [Used(guess), Again("it broke")]


def test_a_silent_failure_may_have_cost_its_input() -> None:
    patient, _, _ = make([broken()], DONE)
    assert listen(patient)[0][:2] == [Used(Usage(INPUT_TOKENS, 0, estimated=True)), Again("it broke")]


def test_an_ask_costs_at_most_twice() -> None:
    patient, provider, _ = make([Text("He sh"), broken(Usage(10, 1))])
    heard, error = listen(patient)
    assert provider.asked == 2
    assert error is not None
    # The second failure's cost is told as a chunk: whoever adds up the chunks has all of it.
    assert heard[-1] == Used(Usage(10, 1))
    assert gather(heard).usage == Usage(20, 2)
    assert (error.usage, error.trouble, error.message) == (None, Trouble.UNREACHABLE, "it broke")


def test_free_failures_do_not_use_up_paid_tries() -> None:
    patient, provider, _ = make([busy()], [Text("He"), broken()], [busy()], DONE)
    assert listen(patient)[1] is None
    assert provider.asked == 4


def test_a_single_failure_is_told_as_it_was() -> None:
    failure = ProviderError(Trouble.KEY, "no", usage=Usage(1))
    assert listen(make([failure])[0]) == ([], failure)


def test_a_restart_within_counts_as_paid() -> None:
    broke: list[Chunk | ProviderError] = [Text("a"), broken()]
    away = [busy()]
    inner, provider, _ = make(broke, away, broke, away, DONE, limits=replace(LIMITS, tries_max=2))
    time = Time()
    outer = RetryingProvider(inner, LIMITS, sleep=time.sleep, clock=time.clock, jitter=lambda: 0.0)
    heard, error = listen(outer)
    assert error is not None
    assert error.usage is None
    # Each of the two tries holds one that gave text and one that was turned away.
    assert provider.asked == 4
    assert sum(isinstance(chunk, Again) for chunk in heard) == 2
    assert not any(isinstance(chunk, Stop) for chunk in heard)


def test_after_a_restart_within_all_of_the_cost_is_in_the_chunks() -> None:
    refused = ProviderError(Trouble.KEY, "no", usage=Usage(5, 1))
    patient, _, _ = make([Text("a"), Used(Usage(10, 1)), Again("within"), Text("b"), refused])
    heard, error = listen(patient)
    assert gather(heard).usage == Usage(15, 2)
    assert error is not None
    assert error.usage is None


def test_leaving_closes_what_was_opened() -> None:
    patient, provider, _ = make(DONE)
    assert leave_early(patient) == Text("He nods.")
    assert provider.open == 0
    asyncio.run(patient.close())
    assert provider.closed == 1


def test_cancelling_while_it_waits() -> None:
    async def run() -> None:
        provider = Failing([busy()], DONE)
        asleep = asyncio.Event()

        async def sleep(seconds: float) -> None:
            asleep.set()
            await asyncio.Event().wait()

        patient = RetryingProvider(provider, LIMITS, sleep=sleep, clock=lambda: 0.0, jitter=lambda: 0.0)
        task = asyncio.ensure_future(anext(patient.stream(REQUEST)))
        await asleep.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (provider.asked, provider.open) == (1, 0)

    asyncio.run(run())
