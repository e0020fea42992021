"""The purse: no ask is made that might not be paid for, and everything that was spent is known."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN, Aside, Attempt, AttemptVerdict
from talewright.common.json_values import Json
from talewright.llm.cost_meter import Metered
from talewright.llm.fallback import Fallback
from talewright.llm.profiles import FREE, Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Again, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, UserMessage
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.records.commit_body import SCENES
from talewright.turn.spending import (
    AskEstimate,
    CampaignSpendingTracker,
    Spending,
    SpendingBudget,
    SpendingSum,
    find_excess,
    foresee,
)
from talewright.turn.turn_context import Teller
from talewright.turn.turn_outcomes import Committed, Degraded, OutcomeReason
from tests.plays.crashes import Crash
from tests.turn.doubles import Keeping, Stalling, Trying, raising
from tests.turn.making import NOW, USED, Bench, bridge, cards, ferry, lay_bench, plain

PRICED = Profile("mini", prices=Prices(1.0, 10.0, 0.1), output_tokens_max=500)
DEAR = replace(PRICED, name="large", prices=Prices(10.0, 100.0))
UNPRICED = Profile("unknown", output_tokens_max=100)
SAID = Say("I untie the boat myself")
REQUEST = Request((UserMessage("Go on."),))
ASKED = 7
"""Tokens that are guessed for the request."""


def test_the_most_an_ask_may_cost() -> None:
    assert foresee(REQUEST, (PRICED,), 1) == AskEstimate(ASKED + 500, (ASKED + 5000) / 1e6)
    assert foresee(REQUEST, (PRICED,), 2) == AskEstimate(2 * (ASKED + 500), 2 * (ASKED + 5000) / 1e6)
    assert foresee(replace(REQUEST, max_output_tokens=50), (PRICED,), 1) == AskEstimate(
        ASKED + 50, (ASKED + 500) / 1e6
    )
    assert foresee(REQUEST, (PRICED, DEAR), 1) == AskEstimate(ASKED + 500, (10 * ASKED + 50_000) / 1e6)
    assert foresee(REQUEST, (PRICED, UNPRICED), 1) == AskEstimate(ASKED + 500, None, ("unknown",))


ONE = AskEstimate(100, 0.5)


@pytest.mark.parametrize(
    ("budget", "ask", "why"),
    [
        (SpendingBudget(), ONE, ""),
        (SpendingBudget(campaign_dollars=1.5), ONE, ""),
        (
            SpendingBudget(campaign_dollars=1.4),
            ONE,
            "the campaign may spend 1.4 dollars, has spent 1, and one ask may take 0.5 more",
        ),
        (SpendingBudget(campaign_tokens=1100), ONE, ""),
        (
            SpendingBudget(campaign_tokens=1099),
            ONE,
            "the campaign may spend 1099 tokens, has spent 1000, and one ask may take 100 more",
        ),
        (SpendingBudget(turn_dollars=0.75), ONE, ""),
        (
            SpendingBudget(turn_dollars=0.7),
            ONE,
            "the turn may spend 0.7 dollars, has spent 0.25, and one ask may take 0.5 more",
        ),
        (SpendingBudget(turn_tokens=150), ONE, ""),
        (
            SpendingBudget(turn_tokens=149),
            ONE,
            "the turn may spend 149 tokens, has spent 50, and one ask may take 100 more",
        ),
        (SpendingBudget(turn_tokens=150), AskEstimate(100, None, ("a", "b")), ""),
        (
            SpendingBudget(turn_dollars=9),
            AskEstimate(100, None, ("a", "b")),
            "a budget in dollars needs the prices of a, b",
        ),
    ],
)
def test_an_ask_against_a_budget(budget: SpendingBudget, ask: AskEstimate, why: str) -> None:
    assert find_excess(budget, SpendingSum(1000, 1.0), SpendingSum(50, 0.25), ask) == why


def metered(
    bench: Bench, budget: SpendingBudget | None, *lines: str | ScriptedReply, profile: Profile = PRICED
) -> Bench:
    """The same campaign with a storyteller that is paid."""
    spending_tracker = CampaignSpendingTracker(budget)
    return bench.with_road(
        teller=Teller(
            Metered(Scripted(lines, profile=profile), spending_tracker.take),
            spending_tracker=spending_tracker,
        )
    )


NODS = cards("He nods.")


def test_a_turn_that_can_be_paid_for_is_told_and_its_price_recorded() -> None:
    async def run() -> None:
        bench = metered(await lay_bench(ferry(), opened=True), SpendingBudget(campaign_dollars=1.0), NODS)
        assert isinstance(await bench.take(SAID, "op"), Committed)
        (attempt,) = await bench.attempts("op")
        assert attempt.body["spent"] == [
            {"model": "mini", "input_tokens": 100, "output_tokens": 20, "cached_tokens": 0, "dollars": 0.0003}
        ]

    asyncio.run(run())


def test_no_ask_is_made_that_might_cost_too_much() -> None:
    async def run() -> None:
        bench = metered(await lay_bench(ferry(), opened=True), SpendingBudget(turn_tokens=1000), NODS)
        before = await bench.standing()
        outcome = await bench.take(SAID, "op")
        assert isinstance(outcome, Degraded)
        assert outcome.reason is OutcomeReason.BUDGET
        assert outcome.detail.startswith("the turn may spend 1000 tokens, has spent 0, and one ask may take ")
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body) == (
            AttemptVerdict.DEGRADED,
            {"reason": "budget", "detail": outcome.detail},
        )

    asyncio.run(run())


def test_without_money_the_scenes_go_on() -> None:
    async def run() -> None:
        bench = metered(await lay_bench(ferry(), opened=True), SpendingBudget(turn_tokens=1), NODS)
        body = await bench.commit(Choose("haggle"), "op")
        assert (body.told, body.exchanges) == (SCENES, ())

    asyncio.run(run())


def test_a_campaign_never_spends_more_than_it_may() -> None:
    async def run() -> None:
        budget = SpendingBudget(campaign_tokens=25_000)
        bench = metered(await lay_bench(ferry(), opened=True), budget, *[NODS] * 200)
        told = 0
        while isinstance(outcome := await bench.take(SAID, f"op-{told}"), Committed):
            told += 1
        assert isinstance(outcome, Degraded)
        assert outcome.reason is OutcomeReason.BUDGET
        assert told > 10
        # Another process counts the same from the record alone, undone turns included.
        await bench.go_back(3)
        fresh = metered(bench, SpendingBudget(campaign_tokens=told * 120), NODS)
        refused = await fresh.take(SAID, "fresh")
        assert isinstance(refused, Degraded)
        assert f"has spent {told * 120}," in refused.detail
        raised = metered(bench, SpendingBudget(campaign_tokens=80_000), NODS)
        assert isinstance(await raised.take(SAID, "raised"), Committed)

    asyncio.run(run())


def test_what_somebody_else_spends_counts_and_so_do_asides() -> None:
    async def run() -> None:
        first = metered(
            await lay_bench(ferry(), opened=True), SpendingBudget(campaign_tokens=20_000), NODS, NODS, NODS
        )
        assert isinstance(await first.take(SAID, "one"), Committed)
        second = metered(first, None, replace(NODS, usage=Usage(19_000, 10)))
        assert isinstance(await second.take(SAID, "two"), Committed)
        head = (await first.head()).id
        await first.book.add(
            Aside("a1", head, NOW, {"usage": {"input_tokens": 7, "output_tokens": 0, "cached_tokens": 0}})
        )
        outcome = await first.take(SAID, "three")
        assert isinstance(outcome, Degraded)
        assert f"has spent {120 + 19_010 + 7}," in outcome.detail

    asyncio.run(run())


def test_what_others_have_spent_counts_without_a_scan() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        spent: dict[str, Json] = {
            "model": "quill",
            "input_tokens": 10**6,
            "output_tokens": 5,
            "cached_tokens": 0,
        }
        await bench.book.add(Attempt("other", "x", MAIN, "", "now", AttemptVerdict.LOST, {"spent": [spent]}))

        def refuse(after: int = -1, limit: int | None = None) -> object:
            raise AssertionError("the records were read")

        bench.book.records = refuse  # type: ignore[method-assign, assignment]
        poor = metered(bench, SpendingBudget(campaign_tokens=10**6), NODS)
        assert isinstance(await poor.take(SAID, "poor"), Degraded)
        rich = metered(bench, SpendingBudget(campaign_tokens=10**9), NODS)
        assert isinstance(await rich.take(SAID, "rich"), Committed)

    asyncio.run(run())


def test_what_fails_unpaid_costs_nothing_and_what_breaks_off_is_guessed() -> None:
    async def run() -> None:
        away = ProviderError(Trouble.UNREACHABLE, "nobody there", unpaid=True)
        broken = ProviderError(Trouble.UNREACHABLE, "broken off")
        bench = await lay_bench(ferry(), opened=True)
        assert isinstance(await metered(bench, None, ScriptedReply(error=away)).take(SAID, "away"), Degraded)
        (attempt,) = await bench.attempts("away")
        assert attempt.body["usage"] == {"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0}
        assert "spent" not in attempt.body
        assert isinstance(
            await metered(bench, None, ScriptedReply("He", error=broken)).take(SAID, "broken"), Degraded
        )
        (attempt,) = await bench.attempts("broken")
        (spent,) = plain(attempt.body["spent"])
        assert spent["estimated"]
        assert spent["dollars"] > 0
        assert {name: spent[name] for name in plain(attempt.body["usage"])} == attempt.body["usage"]

    asyncio.run(run())


def test_each_model_that_answered_is_paid_its_own_price() -> None:
    async def run() -> None:
        spending_tracker = CampaignSpendingTracker(SpendingBudget(campaign_dollars=10.0), (DEAR,))
        broken = ProviderError(Trouble.BUSY, "later", usage=Usage(50, 5))
        first = Metered(Scripted([ScriptedReply("He", error=broken)], profile=PRICED), spending_tracker.take)
        second = Metered(Scripted([NODS], profile=DEAR), spending_tracker.take)
        patient = RetryingProvider(first, RetryLimits(paid_tries_max=1))
        teller = Teller(Fallback([patient, second]), spending_tracker=spending_tracker)
        bench = (await lay_bench(ferry(), opened=True)).with_road(teller=teller)
        body = await bench.commit(SAID, "op")
        assert plain(body.exchanges[0])["model"] == "large"
        (attempt,) = await bench.attempts("op")
        assert attempt.body["spent"] == [
            {"model": "mini", "input_tokens": 50, "output_tokens": 5, "cached_tokens": 0, "dollars": 0.0001},
            {
                "model": "large",
                "input_tokens": 100,
                "output_tokens": 20,
                "cached_tokens": 0,
                "dollars": 0.003,
            },
        ]
        assert attempt.body["usage"] == {"input_tokens": 150, "output_tokens": 25, "cached_tokens": 0}

    asyncio.run(run())


def test_a_reply_that_a_runner_gives_back_is_paid_for_once() -> None:
    async def run() -> None:
        runner = Keeping()
        bench = (await lay_bench(ferry(), opened=True)).with_road(runner=runner)
        book = Trying(plain(bench.book))
        book.before["commit"] = raising(Crash("the process ends"))
        with pytest.raises(Crash):
            await metered(bench.with_road(book=book), None, NODS).take(SAID, "op")
        # The script of the second process is empty: nobody is asked again.
        assert isinstance(await metered(bench, None).take(SAID, "op"), Committed)
        (attempt,) = await bench.attempts("op")
        assert [plain(one)["dollars"] for one in plain(attempt.body["spent"])] == [0.0003]

    asyncio.run(run())


def test_errands_are_bounded_too() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), opened=False)
        poor = metered(bench, SpendingBudget(turn_tokens=1), "never said")
        assert await condense(poor.road, "main") == 0

    asyncio.run(run())


def test_a_purse_counts_what_its_meters_say() -> None:
    spending_tracker = CampaignSpendingTracker()
    assert spending_tracker.budget == SpendingBudget()
    spending_tracker.take(USED, PRICED)
    spending_tracker.take(Usage(1), replace(PRICED, prices=FREE))
    assert spending_tracker.empty() == (Spending("mini", USED, 0.0003), Spending("mini", Usage(1), 0.0))
    assert spending_tracker.empty() == ()


def test_whoever_may_stand_in_and_what_this_try_has_spent_are_counted() -> None:
    most = 2 * (10 * ASKED + 50_000) / 1e6
    before, paid = SpendingSum(0, 1.0), [Spending("mini", Usage(1), 0.25)]
    for spare, fits in ((most, True), (most - 0.001, False)):
        tracker = CampaignSpendingTracker(SpendingBudget(campaign_dollars=1.25 + spare), (DEAR,))
        found = tracker.find_excess(before, paid, PRICED, REQUEST)
        assert (found == "") is fits
        assert fits or "has spent 1.25, " in found


def test_what_meters_count_of_an_ask_that_is_broken_off_is_entered_with_it() -> None:
    async def run() -> None:
        tracker, stalling = CampaignSpendingTracker(), Stalling("He")
        teller = Teller(Metered(stalling, tracker.take), spending_tracker=tracker)
        bench = (await lay_bench(ferry(), opened=True)).with_road(teller=teller)
        task = asyncio.create_task(bench.take(SAID, "op"))
        await stalling.waits.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (attempt,) = await bench.attempts("op")
        (spent,) = plain(attempt.body["spent"])
        assert (spent["model"], spent["estimated"]) == ("stalling", True)
        # Else the next ask would be charged with it once more.
        assert tracker.empty() == ()

    asyncio.run(run())


def test_voided_beginnings_are_paid_for_once() -> None:
    async def run() -> None:
        spending_tracker = CampaignSpendingTracker()

        class Restless:
            profile = PRICED

            async def stream(self, request: Request):  # type: ignore[no-untyped-def]  # a generator of chunks
                yield Text("He")
                yield Used(Usage(10, 1))
                yield Again("once more")
                for chunk in (Text(NODS.text), Used(USED), Stop(StopReason.END)):
                    yield chunk

            async def close(self) -> None:
                """Nothing to let go of."""

        bench = (await lay_bench(ferry(), opened=True)).with_road(
            teller=Teller(Metered(Restless(), spending_tracker.take), spending_tracker=spending_tracker)
        )
        assert isinstance(await bench.take(SAID, "op"), Committed)
        (attempt,) = await bench.attempts("op")
        assert (
            plain(attempt.body["spent"])[0]["input_tokens"]
            == plain(attempt.body["usage"])["input_tokens"]
            == 110
        )

    asyncio.run(run())
