"""Plans: how each gets a turn told, and what the model is told in between."""

import asyncio
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import LEAK, NOTHING_HIDDEN
from talewright.kernel.slots.slot_types import Policy
from talewright.kernel.state.state import begin
from talewright.llm.requests import AssistantMessage, ToolCall, ToolResult, UserMessage
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import AnswerDecision, Opening, Say
from talewright.turn.pipeline import follow
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.judging import Judge
from talewright.turn.steps.repairing import TellingContext
from talewright.turn.steps.telling import MOVES_FIRST
from talewright.turn.steps.tool_loop import NOT_DONE
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Degraded, OutcomeReason
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from talewright.turn.turn_signals import Activity, Doing, NarrationReset, RepairCause
from tests.turn.making import (
    SECRET,
    Bench,
    altered,
    bridge,
    bundle,
    calls,
    cards,
    chapel,
    lay_bench,
    make_asker,
    plain,
    update,
)

MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
THREE: list[Json] = [{"id": "p", "label": "Pay"}, {"id": "q", "label": "Ask"}, {"id": "r", "label": "Go"}]


async def at_bridge(*script: str | ScriptedReply) -> Bench:
    bench = await lay_bench(bridge(), ["He waits."])
    await bench.commit(Opening(), "opening")
    bench.signals.clear()
    return bench.told_by(*script)


def results(bench: Bench, ask: int = -1) -> list[tuple[str, dict[str, Any], bool]]:
    """The results of calls in one of the requests."""
    found = [m for m in bench.provider.requests[ask].messages if isinstance(m, ToolResult)]
    return [(message.call_id, read_result(message), message.refused) for message in found]


def read_result(message: ToolResult) -> dict[str, Any]:
    """A result without what has changed, which may follow it."""
    result: dict[str, Any] = json.loads(message.text.partition("\n\n")[0])
    return result


async def hear_nothing_new(guard: object, ground: object, results: object) -> str:
    return ""


def proposed(*updates: dict[str, Json]) -> tuple[str, dict[str, Json]]:
    return "propose_updates", {"updates": list(updates)}


def test_what_is_hidden_in_one_round_is_not_told_in_the_next() -> None:
    boots = "The boots were never sold; he wears them under the counter on market days."

    async def run() -> None:
        bench = await at_bridge(
            calls("", proposed(update("set", "grudge", boots))),
            f"He says: {boots}",
            "He says nothing.",
        )
        body = await bench.commit(Say("I ask"), "op")
        assert body.narration == "He says nothing."
        assert [exchange.get("mend") for exchange in plain(body.exchanges)] == [None, [LEAK.message], None]

    asyncio.run(run())


def test_what_was_told_along_with_calls_may_be_told_again() -> None:
    boots = "The boots were never sold; he wears them under the counter on market days."

    async def run() -> None:
        hides = proposed(update("set", "grudge", boots)), ("pay", {"coins": 1})
        bench = await at_bridge(calls(boots, *hides), f"He pays. {boots}")
        body = await bench.commit(Say("I ask"), "op")
        assert body.narration == f"He pays. {boots}"

    asyncio.run(run())


def test_rounds_of_calls() -> None:
    async def run() -> None:
        bench = await at_bridge(
            calls(
                "Thinking aloud.",
                ("pay", {"coins": "two"}),
                ("paay", {}),
                ("pay", {"coins": 99}),
                proposed(update("inc", "mood", 1)),
            ),
            calls("", ("pay", {"coins": 2}), ("ask_keeper", {})),
            '"Old Marn"',
            "Two coins change hands.",
        )
        body = await bench.commit(Say("I pay"), "op")
        assert body.narration == "Two coins change hands."
        assert await bench.value("bridge.coins") == 1
        assert await bench.value("mood") == 1
        assert await bench.value("bridge.keeper") == "Old Marn"
        first, second, errand, last = plain(body.exchanges)
        purposes = [exchange["purpose"] for exchange in (first, second, errand, last)]
        assert purposes == ["tell", "round", "errand keeper-name", "round"]
        said = results(bench, 1)
        assert [(name, refused) for name, _, refused in said] == [
            ("call-1", True), ("call-2", True), ("call-3", True), ("call-4", False)
        ]  # fmt: skip
        assert "did you mean pay?" in said[1][1]["error"]
        assert said[3][1] == {"granted": [{"path": "mood", "value": 1}]}
        assert results(bench)[4:] == [
            ("call-1", {"result": {"paid": 2}}, False),
            ("call-2", {"result": "Old Marn"}, False),
        ]
        # What came of the calls stands with the reply that made them, also where an errand came between.
        assert [result["id"] for result in second["results"]] == ["call-1", "call-2"]
        assert "results" not in errand
        assert last["results"] == []
        # Every message but the last stays as it was: requests only grow.
        requests = [r for r in bench.provider.requests if r.tools]
        for before, after in pairwise(requests):
            assert after.messages[: len(before.messages)] == before.messages
        told = requests[1].messages[-5]
        assert isinstance(told, AssistantMessage)
        assert (told.text, told.calls[0]) == (
            "Thinking aloud.",
            ToolCall("call-1", "pay", '{"coins": "two"}'),
        )
        assert bench.screen() == "Two coins change hands."
        doings = [signal.doing for signal in bench.signals if isinstance(signal, Activity)]
        assert doings == [
            Doing.READING, Doing.READING, Doing.TELLING, Doing.UPDATING, Doing.READING, Doing.TELLING,
            Doing.UPDATING, Doing.CONSULTING, Doing.READING, Doing.TELLING, Doing.UPDATING, Doing.SAVING,
        ]  # fmt: skip

    asyncio.run(run())


def test_updates_that_are_refused_are_answered_with_the_reason() -> None:
    async def run() -> None:
        layout = bridge().game.layout
        mood = replace(layout.roots["mood"], policy=Policy.INC_DEC_ONLY)
        edition = altered(bridge(), layout=replace(layout, roots={**layout.roots, "mood": mood}))
        bench = await lay_bench(edition, ["He waits."], opened=True)
        telling = bench.told_by(
            calls("Hm.", proposed(update("set", "mood", 5), update("push", "log", "rain"))),
            calls("Hm.", proposed(update("inc", "log", 1)), ("end_game", {"ending": "across"})),
            calls("Hm.", ("end_game", {"ending": "across"}), ("offer_choices", {"choices": THREE})),
            "He waits.",
        )
        body = await telling.commit(Say("I smile"), "op")
        # What is out of its authority is dropped, and the rest of that call stands.
        ((_, first, refused),) = results(telling, 1)
        assert refused
        assert first == {
            "granted": [{"path": "log", "value": "rain"}],
            "refused": [{"path": "mood", "reason": "mood may only go up or down (inc, dec)"}],
        }
        assert await bench.value("log") == ["rain"]
        (_, mend, mend_refused), (_, end, end_refused) = results(telling, 2)[1:]
        assert (mend_refused, end_refused) == (True, True)
        assert mend["error"].startswith("log: ")
        assert end == {"error": "end: the condition of the ending 'across' does not hold"}
        assert [refused for _, _, refused in results(telling)[3:]] == [True, False]
        refusals = [ruling for ruling in plain(body.rulings) if ruling["ruling"] == "refused"]
        graded = [(ruling["grade"], ruling["move"].get("path", "end")) for ruling in refusals]
        assert graded == [("drop", "mood"), ("mend", "log"), ("drop", "end")]

    asyncio.run(run())


def test_each_call_learns_what_became_of_its_own_updates() -> None:
    async def run() -> None:
        layout = bridge().game.layout
        mood = replace(layout.roots["mood"], maximum=3, max_step=2, policy=Policy.INC_DEC_ONLY)
        edition = altered(bridge(), layout=replace(layout, roots={**layout.roots, "mood": mood}))
        bench = await lay_bench(edition, ["He waits."], opened=True)
        telling = bench.told_by(
            calls(
                "",
                proposed(update("inc", "mood", 9)),
                proposed(update("push", "log", "rain"), update("set", "mood", 1)),
                proposed(update("set", "mood", 1)),
            ),
            calls("", proposed(update("inc", "mood", 1)), proposed(update("inc", "mood", 0))),
            "He waits.",
        )
        await telling.commit(Say("I smile"), "op")
        (_, clamped, _), (_, partly, partly_refused), (_, wholly, wholly_refused), *later = results(telling)
        limits = "a whole number from -5 to 3 that moves by at most 2 at once"
        assert [answer["granted"][0] for _, answer, _ in later] == [
            {"path": "mood", "value": 3},
            {"path": "mood", "unchanged": limits},
        ]
        assert clamped == {
            "granted": [
                {
                    "path": "mood",
                    "value": 2,
                    "clamped": "a whole number from -5 to 3 that moves by at most 2 at once",
                }
            ]
        }
        reason = "mood may only go up or down (inc, dec)"
        assert partly == {
            "granted": [{"path": "log", "value": "rain"}],
            "refused": [{"path": "mood", "reason": reason}],
        }
        assert wholly == {"error": f"mood: {reason}"}
        assert (partly_refused, wholly_refused) == (True, True)

    asyncio.run(run())


def test_an_end_that_waits_for_the_updates_beside_it_is_answered_so() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), model_may_end=True), ["He waits."], opened=True)
        end = ("end_game", {"ending": "across"})
        telling = bench.told_by(
            calls("Over.", proposed(update("inc", "log", 1)), end, ("offer_choices", {"choices": THREE})),
            calls("Over.", end),
        )
        body = await telling.commit(Say("I cross"), "op")
        refusals = [(answer, refused) for _, answer, refused in results(telling)]
        assert [refused for _, refused in refusals] == [True, True, False]
        assert refusals[1][0] == {"error": NOT_DONE}
        assert body.end is not None
        assert body.end.ending == "across"

    asyncio.run(run())


def test_a_text_with_calls_that_need_no_reading_ends_the_turn() -> None:
    async def run() -> None:
        bench = await at_bridge(calls("He nods.", proposed(update("inc", "mood", 1))))
        assert (await bench.commit(Say("I bow"), "op")).narration == "He nods."
        bench = await at_bridge(calls("He nods.", ("pay", {"coins": 1})), "Done.")
        assert (await bench.commit(Say("I pay"), "op")).narration == "Done."
        bench = await at_bridge(calls("", proposed(update("inc", "mood", 1))), "Done.")
        assert (await bench.commit(Say("I bow"), "op")).narration == "Done."

    asyncio.run(run())


def test_choices_stay_offered_whichever_round_they_came_in() -> None:
    async def run() -> None:
        offered = ("offer_choices", {"choices": THREE})
        bench = await at_bridge(calls("", offered, ("pay", {"coins": 1})), "He nods.")
        body = await bench.commit(Say("I pay"), "op")
        assert [choice.id for choice in body.choices] == ["p", "q", "r"]
        later: list[Json] = [{"id": name, "label": name} for name in "xyz"]
        again = ("offer_choices", {"choices": later})
        bench = await at_bridge(calls("", offered, ("pay", {"coins": 1})), calls("He nods.", again))
        body = await bench.commit(Say("I pay"), "op")
        assert [choice.id for choice in body.choices] == ["x", "y", "z"]

    asyncio.run(run())


def test_a_flawed_round_is_asked_for_again() -> None:
    async def run() -> None:
        bench = await at_bridge("The passage is free.", "", "He waits.")
        body = await bench.commit(Say("I pass"), "op")
        assert body.narration == "He waits."
        assert [exchange.get("mend") for exchange in plain(body.exchanges)] == [
            ["the passage is never free; tell what it costs"],
            ["the answer is empty; call a tool, or tell what happens as plain text"],
            None,
        ]
        first, second, last = (request.messages for request in bench.provider.requests)
        assert second[-2] == AssistantMessage("The passage is free.")
        assert "the passage is never free" in second[-1].text
        assert len(last) == len(second) == len(first) + 2
        assert "the answer is empty" in last[-1].text
        causes = [s.why for s in bench.signals if isinstance(s, Activity) and s.doing is Doing.MENDING]
        assert causes == [RepairCause.RULES, RepairCause.FORM]
        assert bench.signals.count(NarrationReset("")) == 2

    asyncio.run(run())


@pytest.mark.parametrize("repairs", [0, 1])
def test_a_round_is_mended_so_often(repairs: int) -> None:
    async def run() -> None:
        bench = await at_bridge(*["It is free."] * 4)
        trying = bench.with_road(limits=TurnLimits(repairs_max=repairs))
        outcome = await trying.take(Say("I pass"), "op")
        assert outcome == Degraded(OutcomeReason.UNTOLD, "the passage is never free; tell what it costs")
        assert len(bench.provider.requests) == repairs + 1
        (attempt,) = await bench.attempts("op")
        assert all("mend" in exchange for exchange in plain(attempt.body["exchanges"]))

    asyncio.run(run())


def test_an_answer_is_shown_again_no_longer_than_the_limit() -> None:
    async def run() -> None:
        limits = TurnLimits(failed_answer_length_max=6)
        bench = await at_bridge("The passage is free.", "He waits.")
        await bench.with_road(limits=limits).commit(Say("I pass"), "op")
        assert bench.provider.requests[1].messages[-2] == AssistantMessage("The pa")

    asyncio.run(run())


def test_the_last_ask_has_no_tools() -> None:
    async def run() -> None:
        bench = await at_bridge(calls("", ("pay", {"coins": 0})), "Done.")
        body = await bench.with_road(limits=TurnLimits(rounds_max=1)).commit(Say("I pay"), "op")
        assert body.narration == "Done."
        assert [len(request.tools) > 0 for request in bench.provider.requests] == [True, False]
        assert body.cuts == ({"cut": "tools"},)

    asyncio.run(run())


def test_a_decision_ends_the_rounds() -> None:
    async def run() -> None:
        bench = await at_bridge(calls("", ("gamble", {})))
        body = await bench.commit(Say("I gamble"), "op")
        assert (body.narration, [card.id for card in body.decisions]) == ("", ["gamble"])
        (exchange,) = plain(body.exchanges)
        (result,) = exchange["results"]
        assert (json.loads(result["text"]), result["refused"]) == ({"pending": True}, False)
        rolled = await bench.told_by("It falls.").commit(AnswerDecision("gamble", "roll"), "roll")
        assert len(rolled.draws) == 1

    asyncio.run(run())


async def at_chapel(*script: str | ScriptedReply) -> tuple[Bench, TurnBody]:
    bench = await lay_bench(chapel(), opened=True)
    telling = bench.told_by(*script)
    return telling, await telling.commit(Say("I listen at the door"), "op")


def test_moves_are_judged_before_they_are_told() -> None:
    async def run() -> None:
        bench, body = await at_chapel(MECHANICS, bundle("Something drags.", 1))
        assert body.narration == "Something drags."
        (draw,) = body.draws
        first, second = bench.provider.requests
        assert second.messages[: len(first.messages)] == first.messages
        assert [exchange["purpose"] for exchange in plain(body.exchanges)] == ["moves", "tell"]
        raw, told = second.messages[-2:]
        assert raw == AssistantMessage(MECHANICS)
        assert isinstance(told, UserMessage)
        assert told.text.startswith('[RESULTS]\n[{"')
        shown = json.loads(told.text.split("\n")[1])
        assert [ruling["ruling"] for ruling in shown] == ["granted"]
        assert shown[0]["result"]["outcome"] in ("success", "fail")
        assert draw.version == 2

    asyncio.run(run())


def test_moves_that_are_flawed_are_mended_before_anything_falls() -> None:
    async def run() -> None:
        wrong = MECHANICS.replace("perception", "perseption")
        _, body = await at_chapel(wrong, MECHANICS, bundle("Something drags.", 1))
        _, straight = await at_chapel(MECHANICS, bundle("Something drags.", 1))
        assert body.draws == straight.draws
        assert body.changes == straight.changes
        purposes = [exchange["purpose"] for exchange in plain(body.exchanges)]
        assert purposes == ["moves", "repair", "tell"]

    asyncio.run(run())


def test_a_decision_ends_a_turn_whose_moves_come_first() -> None:
    async def run() -> None:
        # The tools dialect stands in: its readers give calls, and the plan is asked for by name.
        for script, decided, asks in (([calls("", ("gamble", {}))], False, 1), (["He waits."], True, 1)):
            bench = await lay_bench(bridge(), script)
            assert bench.road.teller is not None
            game = bridge().game
            working = TurnProgress(game, begin(game), TurnDraws(SECRET, 1))
            asker = make_asker(bench.road, DIALECTS["tools"], NOTHING_HIDDEN, AttemptLedger())
            judge = Judge(working, asker.guard, asker, bench.road.teller, 1)
            context = TellingContext(
                bench.road,
                bench.road.teller,
                DIALECTS["tools"],
                working,
                asker.guard,
                judge,
                "en",
                frozenset(),
            )
            messages = [UserMessage("Go on.")]
            answer = await follow(MOVES_FIRST, context, asker, messages, decided, hear_nothing_new)
            assert len(bench.provider.requests) == asks
            assert answer.prose == ("He waits." if decided else "")
            assert [card.id for card in working.decisions] == ([] if decided else ["gamble"])

    asyncio.run(run())


def test_a_loop_without_tools_is_one_ask() -> None:
    async def run() -> None:
        edition = altered(bridge(), contract="cards", plan="tool_loop")
        script = [cards("He waits.", update("inc", "moood", 1)), cards("", update("inc", "mood", 1))]
        bench = await lay_bench(edition, script)
        body = await bench.commit(Opening(), "op")
        assert [exchange["purpose"] for exchange in plain(body.exchanges)] == ["tell", "repair"]
        assert await bench.value("mood") == 1

    asyncio.run(run())
