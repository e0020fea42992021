"""Errands: who is asked, how, and what counts as an answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import NOTHING_HIDDEN
from talewright.kernel.judging.rulings import Errand, ErrandWeight
from talewright.kernel.system import PastTurn, Sight
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request, SystemMessage, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.asides import (
    ANSWER_TOKENS_MAX,
    choose_provider,
    condense,
    run_errand,
)
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.turn_context import Teller
from tests.plugs.toll import Toll
from tests.turn.making import bridge, lay_bench, make_asker

SCRIPTED = Profile("scripted")
NAME = Errand("name", "Who keeps the bridge?", {"type": "string", "maxLength": 10}, ErrandWeight.MAIN)


def ask(
    reply: str | ScriptedReply, errand: Errand = NAME, profile: Profile = SCRIPTED
) -> tuple[Json, Request, AttemptLedger]:
    async def run() -> tuple[Json, Request, AttemptLedger]:
        bench = await lay_bench(bridge(), provider=Scripted([reply], profile=profile))
        ledger = AttemptLedger()
        asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, ledger)
        answer = await run_errand(asker, Teller(bench.provider), errand)
        assert bench.signals == []
        return answer, bench.provider.requests[0], ledger

    return asyncio.run(run())


def test_the_question_its_schema_and_nothing_else_is_sent() -> None:
    answer, request, ledger = ask('"Old Marn"')
    assert answer == "Old Marn"
    assert request == Request(
        (
            SystemMessage(
                "Answer with JSON alone: no other words, no code fence. It must fit this JSON Schema:\n"
                '{"maxLength": 10, "type": "string"}'
            ),
            UserMessage("Who keeps the bridge?"),
        ),
        answer_schema=NAME.answer_schema,  # type: ignore[arg-type] # It is an object.
        max_output_tokens=NAME.answer_tokens,
    )
    assert [exchange["purpose"] for exchange in ledger.exchanges] == ["errand name"]


@pytest.mark.parametrize(
    ("wanted", "able", "asked"),
    [(200, 9_000, 200), (3_000, 9_000, 3_000), (9_000, 9_000, ANSWER_TOKENS_MAX), (3_000, 500, 500)],
)
def test_how_long_an_answer_may_be(wanted: int, able: int, asked: int) -> None:
    profile = Profile("model", output_tokens_max=able)
    _, request, _ = ask('"Old Marn"', replace(NAME, answer_tokens=wanted), profile)
    assert request.max_output_tokens == asked


def test_a_schema_that_is_no_object_is_told_but_not_enforced() -> None:
    answer, request, _ = ask("[1, 2]", Errand("any", "What?", True))
    assert (answer, request.answer_schema) == ([1, 2], None)


def test_what_is_not_understood_of_a_schema_is_passed_over() -> None:
    odd = replace(NAME, answer_schema={"type": "string", "pattern": "^Old", "maxLength": "ten"})
    assert ask('"Young Marn of the bridge"', odd)[0] == "Young Marn of the bridge"
    assert ask("5", odd)[0] is None


@pytest.mark.parametrize(
    "reply",
    [
        "no json at all",
        "5",
        '"longer than ten characters"',
        "null",
        "",
        ScriptedReply('"Old', error=ProviderError(Trouble.BUSY, "later")),
    ],
)
def test_what_is_no_answer(reply: str | ScriptedReply) -> None:
    answer, _, ledger = ask(reply)
    assert answer is None
    assert (ledger.asks, len(ledger.exchanges)) == (1, 1)


def test_whom_to_ask() -> None:
    main, cheap = Scripted([]), Scripted([])
    light = Errand("e", "?", {}, ErrandWeight.CHEAP)
    assert choose_provider(Teller(main, cheap), light) is cheap
    assert choose_provider(Teller(main), light) is main
    assert choose_provider(Teller(main, cheap), NAME) is main


@pytest.mark.parametrize(("optional", "short", "asks"), [(True, True, 0), (True, False, 1), (False, True, 1)])
def test_a_slow_model_is_spared_what_is_optional(
    optional: bool, short: bool, asks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask_once(toll: Toll, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand("rumour", "What do they say?", {"type": "string"}, optional=optional),)

    monkeypatch.setattr(Toll, "errands", ask_once)

    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], opened=True)
        cheap = Scripted(['"nothing"'], profile=Profile("cheap", short_prompts=short))
        road = bench.with_road(teller=Teller(bench.provider, cheap)).road
        assert await condense(road, MAIN) == asks
        assert len(cheap.requests) == asks

    asyncio.run(run())
