"""Tries: what begins a turn, who tells it, and by which plan."""

import asyncio
from collections.abc import Mapping

import pytest

from talewright.chronicle.records import Aside
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.system import Denial, Phase, Sight, Tick
from talewright.kernel.system import SystemAnswer as Ruled
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Deed, Opening, Say
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.telling import Try, minutes_between
from tests.plugs.toll import Toll
from tests.turn.differences import find_differences
from tests.turn.making import (
    NOW,
    Bench,
    altered,
    bridge,
    calls,
    cards,
    ferry,
    lay_bench,
    make_edition,
    make_try,
    plain,
)
from tests.turn.stories import WORDS, tower, tower_game


class Phased(Toll):
    """A toll whose phases name a plan."""

    def __init__(self, plan: str) -> None:
        self.plan = plan

    def phase(self, sight: Sight) -> Phase | None:
        return Phase("phase", plan=self.plan)


class Changing(Toll):
    """A keeper who no longer gambles once he is asked."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> Ruled:
        if call.tool == "gamble" and answers:
            chance.draw(6, "thrown away")
            return Denial("the dice are lost")
        return super().judge(call, sight, chance, answers)


async def begin_try(bench: Bench) -> Try:
    return make_try(bench.road, await bench.recall())


def test_a_try_begun_again_begins_where_the_first_one_did() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        attempt = await begin_try(bench)
        first = attempt.begin(Choose("dice"))
        working = attempt.working
        again = attempt.begin(Choose("dice"))
        assert isinstance(first, Deed)
        assert again == first
        assert attempt.working is not working
        assert attempt.working.fortune.draws == working.fortune.draws
        assert attempt.working.changes == working.changes

    asyncio.run(run())


def test_asides_and_a_newer_game_come_before_the_deed() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        await bench.book.add(
            Aside("a1", (await bench.head()).id, NOW, {"kind": "summary", "text": "So far."})
        )
        bench.library.put(make_edition(tower_game(), WORDS, digest="newer"))
        body = await bench.commit(Choose("climb"), "op")
        assert [change.path for change in body.changes][:2] == ["/_engine/summary", "/place"]
        assert body.asides == ("a1",)
        assert body.adopted == {"from": "tower", "changes": 0}

    asyncio.run(run())


def test_the_opening_is_told_by_scenes_where_there_are_any() -> None:
    async def run() -> None:
        scripted = [cards("He nods.")]
        bench = await lay_bench(ferry(), scripted)
        assert not (await begin_try(bench)).needs_teller()
        await bench.commit(Opening(), "op")
        assert bench.provider.requests == []
        assert (await begin_try(bench)).needs_teller()
        assert not (await begin_try(bench.with_road(teller=None))).needs_teller()
        assert (await begin_try(await lay_bench(bridge(), ["He waits."]))).needs_teller()

    asyncio.run(run())


def test_a_model_tells_the_opening_after_the_intro() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."])
        body = await bench.commit(Opening(), "op")
        intro = bridge().words("en").get("intro")
        assert body.narration == f"{intro}\n\nHe waits."
        happened = bench.provider.requests[0].messages[-1].text
        assert intro.strip() in happened

    asyncio.run(run())


def test_an_intro_carries_an_opening_that_nobody_tells() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), [])
        body = await bench.commit(Opening(), "op")
        assert (body.told, body.narration) == ("scenes", bridge().words("en").get("intro"))

    asyncio.run(run())


def test_an_end_is_told_after_the_storyteller() -> None:
    async def run() -> None:
        script = [cards("You row."), cards("The oar finds stone.")]
        bench = await lay_bench(ferry(), script, opened=True)
        await bench.commit(Choose("pay"), "op-1")
        body = await bench.commit(Say("Take an oar"), "op-2")
        assert body.end is not None
        assert (body.end.ending, body.end.outcome, body.choices) == ("landed", "win", ())
        assert body.narration == "The oar finds stone.\n\nYou step onto stones that do not move."

    asyncio.run(run())


def test_a_state_that_was_brought_along_opens_where_it_stands() -> None:
    async def run() -> None:
        first = tower_game().initial
        engine = {**plain(first["_engine"]), "scene": "tower", "seen": {"tower": 1}}
        bench = await lay_bench(
            tower("It begins."),
            document={**first, "place": "tower", "_engine": engine},
            imported={"from": "x"},
        )
        body = await bench.commit(Opening(), "op")
        assert body.narration == "A tower."
        assert [choice.id for choice in body.choices] == ["up"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("contract", "plan", "phase", "expected"),
    [
        ("tools", "one_ask", "", "tool_loop"),
        ("tools", "one_ask", "moves_first", "tool_loop"),
        ("cards", "one_ask", "", "one_ask"),
        ("cards", "moves_first", "", "moves_first"),
        ("cards", "tool_loop", "", "one_ask"),
        ("cards", "one_ask", "moves_first", "moves_first"),
        ("cards", "moves_first", "one_ask", "one_ask"),
        ("cards", "moves_first", "tool_loop", "one_ask"),
    ],
)
def test_the_plan(contract: str, plan: str, phase: str, expected: str) -> None:
    async def run() -> None:
        edition = altered(bridge(), contract=contract, plan=plan, systems=(Phased(phase),))
        assert (await begin_try(await lay_bench(edition))).plan() == expected

    asyncio.run(run())


@pytest.mark.parametrize("told", [True, False])
def test_a_waiting_call_that_is_refused_in_the_end_stands_in_the_record(told: bool) -> None:
    async def run() -> None:
        edition = altered(bridge(), systems=(Changing(),))
        bench = await lay_bench(edition, ["He waits.", calls("The cup.", ("gamble", {}))])
        await bench.commit(Opening(), "op-1")
        await bench.commit(Say("I gamble"), "op-2")
        answering = bench.told_by("The dice are gone.") if told else bench.with_road(teller=None)
        body = await answering.commit(AnswerDecision("gamble", "roll"), "op-3")
        refused = [ruling for ruling in plain(body.rulings) if ruling["ruling"] == "refused"]
        assert [ruling["reason"] for ruling in refused] == ["the dice are lost"]
        # What was thrown away has given its draw back.
        assert (body.draws, body.decisions) == ((), ())
        assert await bench.value("_engine.decisions") == {}

    asyncio.run(run())


def test_a_decision_answered_without_a_teller() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits.", calls("The cup.", ("gamble", {}))])
        await bench.commit(Opening(), "op-1")
        await bench.commit(Say("I gamble"), "op-2")
        body = await bench.with_road(teller=None).commit(AnswerDecision("gamble", "roll"), "op-3")
        (draw,) = body.draws
        assert await bench.value("bridge.last_roll") == draw.face
        assert (body.said, body.narration) == ("Roll", "The keeper nods: gamble.")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("earlier", "later", "minutes"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T01:01:59Z", 61),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:59Z", 0),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", 0),
        ("2026-01-02T00:00:00Z", "", 0),
        ("2026-01-01T00:00:00", "2026-01-01T01:00:00Z", 0),
    ],
)
def test_how_long_nobody_played(earlier: str, later: str, minutes: int) -> None:
    assert minutes_between(earlier, later) == minutes


class LeftAlone(Toll):
    """A toll that remembers for how long it was left alone."""

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        return Tick((Update(Op.SET, "bridge.keeper", f"{sight.away_minutes} minutes"),))


def test_systems_learn_how_long_nobody_played() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(LeftAlone(),)), ["He waits."], opened=True)
        later = bench.with_road(now=lambda: "2026-01-03T00:00:30Z")
        body = await later.told_by("He has slept.").commit(Say("I come back"), "op-2")
        assert [change.value for change in body.changes] == ["2880 minutes"]
        # Whenever it is made again, it is the recorded time that counts.
        commit = await bench.head()
        again = await replay_turn(bench.with_road(now=lambda: "2027-05-05T00:00:00Z").road, commit)
        assert find_differences(commit, again) == ()

    asyncio.run(run())
