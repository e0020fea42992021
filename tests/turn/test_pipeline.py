"""The pipeline: the order of the steps, what is heard of them, and what is not even taken in."""

import asyncio

import pytest

from talewright.chronicle.records import MAIN, Accepted, Attempt, AttemptVerdict, Commit
from talewright.crashpoints import set_hook
from talewright.llm.token_estimate import estimate_tokens
from talewright.turn.fold_cache import FoldCache
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, GoOn, Input, Opening, Say
from talewright.turn.steps.beginning import find_unfit
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Committed, Degraded, OutcomeReason, Unspent
from talewright.turn.turn_signals import (
    Activity,
    Doing,
    NarrationDelta,
    NarrationReset,
    TurnAccepted,
    TurnCommitted,
)
from tests.turn.making import USED, cards, ferry, lay_bench, plain, update

COMMITTED_COST = {
    "usage": {"input_tokens": 100, "output_tokens": 20, "cached_tokens": 0},
    "asks": 1,
    "spent": [{"model": "scripted", "input_tokens": 100, "output_tokens": 20, "cached_tokens": 0}],
}


def doing(*words: Doing) -> list[Activity]:
    return [Activity(word) for word in words]


def test_a_turn_told_by_a_model_is_accepted_told_and_committed() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.", update("dec", "coins", 1))], opened=True)
        base = (await bench.head()).id
        count = len(await bench.records())
        outcome = await bench.take(Say("I wave"), "op")
        assert isinstance(outcome, Committed)
        accepted, commit, attempt = (await bench.records())[count:]
        assert accepted == Accepted("op", MAIN, base, {"kind": "say", "text": "I wave"}, accepted.at)
        assert isinstance(commit, Commit)
        assert outcome == Committed(commit, repeated=False)
        assert (commit.parent, commit.version, commit.operation_id) == (base, 2, "op")
        assert isinstance(attempt, Attempt)
        # Of a committed turn the replies stand in the commit.
        assert (attempt.verdict, attempt.base, attempt.body) == (
            AttemptVerdict.COMMITTED,
            base,
            COMMITTED_COST,
        )
        texts = [s.text for s in bench.signals if isinstance(s, NarrationDelta)]
        assert "".join(texts) == "He nods."
        assert len(texts) > 1
        others = [s for s in bench.signals if not isinstance(s, NarrationDelta)]
        assert others == [
            TurnAccepted(accepted),
            *doing(Doing.READING, Doing.READING, Doing.TELLING),
            *doing(Doing.JUDGING, Doing.UPDATING, Doing.SAVING),
            TurnCommitted(commit),
        ]

    asyncio.run(run())


def test_a_turn_told_from_scenes_asks_nobody() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        outcome = await bench.take(Choose("wait"), "op")
        assert isinstance(outcome, Committed)
        assert [type(signal) for signal in bench.signals] == [TurnAccepted, Activity, Activity, TurnCommitted]
        assert bench.signals[1:3] == doing(Doing.READING, Doing.SAVING)
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body) == (AttemptVerdict.COMMITTED, {})

    asyncio.run(run())


def test_a_choice_whose_teller_fails_is_told_from_its_scene() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), ["nonsense"] * 3, opened=True)
        outcome = await bench.take(Choose("pay"), "op")
        assert isinstance(outcome, Committed)
        assert outcome.commit.body["told"] == "scenes"
        assert await bench.value("coins") == 3
        assert NarrationReset("") in bench.signals
        assert len(plain(outcome.commit.body["exchanges"])) == 3
        (attempt,) = await bench.attempts("op")
        assert attempt.body["asks"] == 3

    asyncio.run(run())


def test_the_crash_points_of_a_turn_in_order() -> None:
    async def run() -> list[str]:
        bench = await lay_bench(
            ferry(), ["nonsense", cards("He nods.")], cut=lambda t: iter([t]), opened=True
        )
        passed: list[str] = []
        set_hook(passed.append)
        try:
            await bench.with_road(folds=FoldCache()).commit(Say("I wave"), "op")
        finally:
            set_hook(None)
        return passed

    asked = ["connect", "first byte"]
    first = ("receive", "look up key", "write accepted", "acknowledge")
    both = [f"{side} {point}" for point in first for side in ("before", "after")]
    passed = asyncio.run(run())
    assert passed[: len(both)] == both
    found = list(dict.fromkeys(point.split(" ", 1)[1] for point in passed))
    assert found == [
        *("receive", "look up key", "write accepted", "acknowledge", "load snapshot", "load tail", "rules"),
        *("assemble", *asked, "each chunk", "final text", "validate", "repair ask", "build commit"),
        *("write", "publish"),
    ]
    assert passed[-4:] == ["before write", "after write", "before publish", "after publish"]


LIMIT = TurnLimits(input_length_max=5)
UNFIT: list[tuple[Input, Unspent | None]] = [
    (Say(""), Unspent(OutcomeReason.EMPTY)),
    (Say(" \n\t\u3000"), Unspent(OutcomeReason.EMPTY)),
    (Say("abcde"), None),
    (Say("abcdef"), Unspent(OutcomeReason.TOO_LONG, "5")),
    (Say("走走走走走"), None),
    (Say("a\ud800"), Unspent(OutcomeReason.EMPTY)),
    (Choose("abcde"), None),
    (Choose("abcdef"), Unspent(OutcomeReason.TOO_LONG, "5")),
    (Choose("\udfff"), Unspent(OutcomeReason.EMPTY)),
    (AnswerDecision("d", "o"), None),
    (AnswerDecision("d", "o", "abcde"), None),
    (AnswerDecision("d", "o", "abcdef"), Unspent(OutcomeReason.TOO_LONG, "5")),
    (AnswerDecision("abcdef", "o"), Unspent(OutcomeReason.TOO_LONG, "5")),
    (AnswerDecision("d", "o", "\ud800"), Unspent(OutcomeReason.EMPTY)),
    (GoOn(), None),
    (Opening(), None),
]


@pytest.mark.parametrize(("given", "expected"), UNFIT)
def test_what_is_not_even_taken_in(given: Input, expected: Unspent | None) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True, limits=LIMIT)
        assert find_unfit(bench.road, given) == expected
        if expected is not None:
            count = len(await bench.records())
            assert await bench.take(given, "op") == expected
            assert len(await bench.records()) == count
            assert bench.signals == []

    asyncio.run(run())


def test_words_that_no_scene_understands_spend_no_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        before = await bench.standing()
        assert await bench.take(Say("sing to the moon"), "op") == Unspent(OutcomeReason.UNMATCHED)
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body) == (AttemptVerdict.UNSPENT, {"reason": "unmatched"})
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_a_degraded_turn_says_so_and_the_input_no_longer_waits() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [], opened=True)
        outcome = await bench.take(Say("I wave"), "op")
        assert outcome == Degraded(OutcomeReason.UNTOLD, "the script has 0 replies, not 1", "spent")
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_a_reply_may_not_go_on_for_ever() -> None:
    async def run() -> None:
        answer = cards("He nods.").text
        limits = TurnLimits(reply_length_max=len(answer) - 1, repairs_max=0)
        bench = await lay_bench(ferry(), [answer + " " * 100], opened=True, limits=limits)
        outcome = await bench.take(Say("I wave"), "op")
        assert isinstance(outcome, Committed), outcome
        (exchange,) = plain(outcome.commit.body["exchanges"])
        assert exchange["stop"] == "length"
        assert len(exchange["text"]) < len(answer) + 7
        exact = bench.told_by(answer).with_road(limits=TurnLimits(reply_length_max=len(answer)))
        done = await exact.commit(Say("I wave again"), "op2")
        assert [e["stop"] for e in plain(done.exchanges)] == ["end"]

    asyncio.run(run())


def test_usage_of_repairs_is_added_up() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), ["nonsense", cards("He nods.")], opened=True)
        body = await bench.commit(Say("I wave"), "op")
        first, second = plain(body.exchanges)
        assert second["usage"]["input_tokens"] == USED.input_tokens
        estimated = first["usage"]
        assert estimated["output_tokens"] == estimate_tokens("nonsense")
        assert body.usage == {
            "input_tokens": estimated["input_tokens"] + 100,
            "output_tokens": estimated["output_tokens"] + 20,
            "cached_tokens": 0,
            "estimated": True,
        }

    asyncio.run(run())
