"""Every way in which a turn comes to nothing: nothing has changed, and what it cost is written down."""

import asyncio
from typing import Any

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import StopReason, Usage
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_tokens
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Say
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Degraded, Failed, OutcomeReason, Unspent
from tests.turn.doubles import BrokenToll, Stalling, Strict
from tests.turn.expecting import cost, expect_unchanged, spent, texts
from tests.turn.making import USED, altered, bridge, calls, cards, ferry, lay_bench, plain, update

SAID = Say("I untie the boat myself")
BRIEF = TurnLimits(turn_seconds_max=0.01)
NONSENSE = ScriptedReply("nonsense", usage=USED)
NO_JSON = "there is no JSON object in the answer; answer with one and nothing else"


def trouble(text: str = "", usage: Usage | None = None) -> ScriptedReply:
    return ScriptedReply(text, error=ProviderError(Trouble.BUSY, "come back later", usage=usage))


TOLD: list[tuple[str, list[ScriptedReply], TurnLimits, Degraded, dict[str, Json], list[str]]] = [
    (
        "an error before any text",
        [trouble(usage=Usage(7))],
        TurnLimits(),
        Degraded(OutcomeReason.UNTOLD, "come back later", "busy"),
        cost(Usage(7)),
        [""],
    ),
    (
        "an error after some text",
        [trouble('{"narrative_markdown": "He', Usage(9, 3, 1))],
        TurnLimits(),
        Degraded(OutcomeReason.UNTOLD, "come back later", "busy"),
        cost(Usage(9, 3, 1)),
        ['{"narrative_markdown": "He'],
    ),
    (
        "whoever pays may not spend so much",
        [ScriptedReply("", error=ProviderError(Trouble.BUDGET, "used up", usage=Usage()))],
        TurnLimits(),
        Degraded(OutcomeReason.BUDGET, "used up"),
        cost(Usage()),
        [""],
    ),
    (
        "repairs exhausted",
        [NONSENSE, NONSENSE, NONSENSE, NONSENSE],
        TurnLimits(),
        Degraded(OutcomeReason.UNTOLD, NO_JSON),
        cost(USED, USED, USED),
        ["nonsense"] * 3,
    ),
    (
        "no repair allowed",
        [NONSENSE, NONSENSE],
        TurnLimits(repairs_max=0),
        Degraded(OutcomeReason.UNTOLD, NO_JSON),
        cost(USED),
        ["nonsense"],
    ),
    (
        "declined to the last",
        [ScriptedReply("no", usage=USED, stop=StopReason.REFUSAL)] * 2,
        TurnLimits(repairs_max=0),
        Degraded(
            OutcomeReason.DECLINED, "you declined to answer; go on with the story in a way you can tell"
        ),
        cost(USED),
        ["no"],
    ),
    (
        "asks_max",
        [NONSENSE, NONSENSE, NONSENSE],
        TurnLimits(asks_max=2),
        Degraded(OutcomeReason.UNTOLD, "2 asks were not enough"),
        cost(USED, USED),
        ["nonsense"] * 2,
    ),
    (
        "updates that are never mended",
        [cards("He nods.", update("dec", "coinz", 1))] * 3,
        TurnLimits(),
        Degraded(
            OutcomeReason.UNTOLD,
            "coinz: there is no 'coinz'; the state has coins, time, place, met, seal",
        ),
        cost(USED, USED, USED),
        [cards("He nods.", update("dec", "coinz", 1)).text] * 3,
    ),
]


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case[0])
def test_a_storyteller_that_fails(
    case: tuple[str, list[ScriptedReply], TurnLimits, Degraded, dict[str, Json], list[str]],
) -> None:
    _, script, limits, expected, paid, kept = case

    async def run() -> None:
        bench = await lay_bench(ferry(), script, limits=limits, opened=True)
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), expected, AttemptVerdict.DEGRADED
        )
        assert spent(attempt) == paid
        assert texts(attempt) == kept
        assert bench.screen() == ""

    asyncio.run(run())


def test_a_provider_that_does_not_say_what_it_cost_is_estimated() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [trouble("12345678 走")], opened=True)
        expected = Degraded(OutcomeReason.UNTOLD, "come back later", "busy")
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), expected, AttemptVerdict.DEGRADED
        )
        usage: Any = attempt.body["usage"]
        told = estimate_tokens("12345678 走")
        assert (usage["output_tokens"], usage["estimated"], attempt.body["asks"]) == (told, True, 1)
        assert usage["input_tokens"] > 100
        exchanges: Any = attempt.body["exchanges"]
        assert (exchanges[0]["trouble"], exchanges[0]["message"]) == ("busy", "come back later")
        assert exchanges[0]["usage"] == usage

    asyncio.run(run())


def test_a_turn_that_takes_too_long() -> None:
    async def run() -> None:
        stalling = Stalling('{"narrative_markdown": "He looks up and')
        bench = await lay_bench(ferry(), provider=stalling, limits=BRIEF, opened=True)
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), Degraded(OutcomeReason.TIMED_OUT), AttemptVerdict.DEGRADED
        )
        assert stalling.closed
        assert texts(attempt) == ['{"narrative_markdown": "He looks up and']
        exchanges: Any = attempt.body["exchanges"]
        assert (exchanges[0]["trouble"], exchanges[0]["model"]) == ("broken off", "stalling")
        assert attempt.body["asks"] == 1
        usage: Any = attempt.body["usage"]
        assert usage["estimated"]
        assert bench.screen() == ""

    asyncio.run(run())


def test_nobody_is_asked_once_the_time_is_spent() -> None:
    async def run() -> None:
        now = [0.0]

        def answer_late(request: Request) -> ScriptedReply:
            now[0] = 200.0
            return NONSENSE

        # The first answer needs mending, and nothing but its own time was left for that.
        bench = await lay_bench(ferry(), answer_late, opened=True, seconds=lambda: now[0])
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), Degraded(OutcomeReason.TIMED_OUT), AttemptVerdict.DEGRADED
        )
        assert len(bench.provider.requests) == 1
        assert spent(attempt) == cost(USED)

    asyncio.run(run())


def test_a_turn_that_takes_too_long_is_told_from_its_scene() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), provider=Stalling(), limits=BRIEF, opened=True)
        body = await bench.commit(Choose("haggle"), "op")
        clean = await lay_bench(ferry(), opened=True)
        expected = await clean.commit(Choose("haggle"), "op")
        assert (body.told, body.narration, body.draws) == ("scenes", expected.narration, expected.draws)
        assert (await bench.head()).state_digest == (await clean.head()).state_digest
        assert [exchange["trouble"] for exchange in plain(body.exchanges)] == ["broken off"]
        assert body.model == {"name": "stalling"}
        assert expected.exchanges == ()
        assert expected.model is None

    asyncio.run(run())


def test_a_mistake_in_a_system() -> None:
    async def run() -> None:
        edition = altered(bridge(), systems=(BrokenToll(),))
        bench = await lay_bench(edition, ["He waits."], opened=True)
        trying = bench.told_by(calls("You pay.", ("pay", {"coins": 1})))
        attempt = await expect_unchanged(
            trying,
            lambda: trying.take(Say("I pay"), "op"),
            Failed(OutcomeReason.ERROR, "ZeroDivisionError: the keeper counts wrongly"),
            AttemptVerdict.FAILED,
        )
        assert spent(attempt) == cost(USED)
        assert texts(attempt) == ["You pay."]

    asyncio.run(run())


def test_rounds_without_end() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], opened=True)
        looped = calls("", ("pay", {"coins": 0}))
        trying = bench.told_by(*[looped] * 9).with_road(limits=TurnLimits(rounds_max=2))
        attempt = await expect_unchanged(
            trying,
            lambda: trying.take(Say("I pay"), "op"),
            Degraded(OutcomeReason.UNTOLD, "2 rounds of calls brought no narration"),
            AttemptVerdict.DEGRADED,
        )
        assert spent(attempt) == cost(USED, USED, USED)
        assert [bool(request.tools) for request in trying.provider.requests] == [True, True, False]

    asyncio.run(run())


def test_a_moderation_that_refuses_the_input() -> None:
    async def run() -> None:
        strict = Strict(heard=("untie",))
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, moderation=strict)
        expected = Unspent(OutcomeReason.NOT_ALLOWED, "not 'untie' here")
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), expected, AttemptVerdict.UNSPENT
        )
        assert spent(attempt) == {}
        assert bench.provider.requests == []
        assert strict.asked == [f"hear {SAID.text}"]

    asyncio.run(run())


def test_a_moderation_hears_the_note_of_an_answer_and_nothing_that_was_not_said() -> None:
    async def run() -> None:
        strict = Strict(heard=("curse",))
        bench = await lay_bench(bridge(), ["He waits."], opened=True, moderation=strict)
        given = AnswerDecision("gamble", "roll", "a curse on it")
        expected = Unspent(OutcomeReason.NOT_ALLOWED, "not 'curse' here")
        assert await bench.take(given, "op") == expected
        assert strict.asked == ["read He waits.", "hear a curse on it"]
        assert await bench.take(Choose("nothing"), "op2") == Unspent(OutcomeReason.NO_SUCH_CHOICE, "nothing")
        assert len(strict.asked) == 2

    asyncio.run(run())


def test_a_moderation_that_refuses_the_narration() -> None:
    async def run() -> None:
        strict = Strict(told=("boat",))
        script = [cards("The boat is gone.")] * 3
        bench = await lay_bench(ferry(), script, opened=True, moderation=strict)
        expected = Degraded(OutcomeReason.UNTOLD, "tell it without 'boat'")
        attempt = await expect_unchanged(
            bench, lambda: bench.take(SAID, "op"), expected, AttemptVerdict.DEGRADED
        )
        assert spent(attempt) == cost(USED, USED, USED)
        demands = [request.messages[-1].text for request in bench.provider.requests[1:]]
        assert all("tell it without 'boat'" in demand for demand in demands)
        assert bench.screen() == ""

    asyncio.run(run())


def test_a_mended_narration_passes_the_moderation() -> None:
    async def run() -> None:
        strict = Strict(told=("boat",))
        script = [cards("The boat is gone."), cards("It is gone.")]
        bench = await lay_bench(ferry(), script, opened=True, moderation=strict)
        body = await bench.commit(SAID, "op")
        assert body.narration == "It is gone."
        assert bench.screen() == "It is gone."
        assert [exchange.get("mend") for exchange in plain(body.exchanges)] == [
            ["tell it without 'boat'"],
            None,
        ]

    asyncio.run(run())
