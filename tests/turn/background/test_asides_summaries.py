"""Condensing and asides: errands after a turn, kept, and taken up by the next one."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from talewright.chronicle.records import MAIN, Aside
from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import HiddenTexts
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.slots.engine_slots import SUMMARY_LENGTH_MAX
from talewright.kernel.system import PastTurn, Sight
from talewright.providers.scripted import Scripted
from talewright.turn.background.asides import DueSummary, condense
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import BackgroundDone
from tests.plugs.toll import Toll
from tests.turn.doubles import Keeping
from tests.turn.making import NOW, Bench, altered, bridge, lay_bench

COST: dict[str, Json] = {"input_tokens": 9, "output_tokens": 8, "cached_tokens": 0, "estimated": True}


class Curious(Toll):
    """A toll with many questions."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return [Errand(f"rumour-{number}", f"Rumour {number}?", {"type": "string"}) for number in range(3)]


async def opened(*script: str) -> Bench:
    bench = await lay_bench(bridge(), ["He waits."])
    await bench.commit(Opening(), "opening")
    bench.signals.clear()
    return bench.told_by(*script)


async def asides(bench: Bench) -> list[Aside]:
    return [record for record in await bench.records() if isinstance(record, Aside)]


def test_an_answer_becomes_an_aside_and_the_next_turn_takes_it_up() -> None:
    async def run() -> None:
        bench = await opened('"it leaks"')
        head = (await bench.head()).id
        assert await condense(bench.road, MAIN) == 1
        (aside,) = await asides(bench)
        assert (aside.commit, aside.at) == (head, NOW)
        usage = aside.body["usage"]
        assert isinstance(usage, dict)
        assert usage["estimated"]
        assert aside.body["spent"] == [{"model": "scripted", **usage}]
        assert {name: value for name, value in aside.body.items() if name not in ("usage", "spent")} == {
            "kind": "errand",
            "system": "toll",
            "errand": "rumour",
            "answer": "it leaks",
            "asks": 1,
        }
        assert bench.signals == [BackgroundDone("errand", MAIN, (await bench.head()).operation_id)]
        assert (await bench.head()).id == head
        # Asked again, it is not asked again.
        assert await condense(bench.road, MAIN) == 0
        assert len(bench.provider.requests) == 1
        body = await bench.told_by("He nods.").commit(Say("I wave"), "op")
        assert body.asides == (aside.id,)
        first = body.changes[0]
        assert (first.path, first.value, first.cause) == ("/bridge/keeper", "it leaks", f"aside:{aside.id}")

    asyncio.run(run())


def test_an_errand_that_nobody_could_answer_is_paid_for_and_not_asked_again() -> None:
    async def run() -> None:
        bench = await opened("no json", '"never asked"')
        assert await condense(bench.road, MAIN) == 0
        (aside,) = await asides(bench)
        assert (aside.body["kind"], aside.body["errand"], aside.body["asks"]) == ("unanswered", "rumour", 1)
        assert bench.signals == []
        assert await condense(bench.road, MAIN) == 0
        assert len(bench.provider.requests) == 1
        body = await bench.told_by("He nods.").commit(Say("I wave"), "op")
        assert body.asides == (aside.id,)
        assert {change.path for change in body.changes} == {"/bridge/water"}

    asyncio.run(run())


HIDDEN = "the keeper once drowned a man who would not pay, and sold his boots"


@pytest.mark.parametrize(
    "answer",
    [
        *("world", " world ", f"They say that {HIDDEN.upper()}.", "the keeper once drowned <b>a man</b>"),
        "drowned a man who, hm, boots sold his so the keeper once",
    ],
)
def test_an_answer_that_would_let_a_player_read_something_hidden_is_none(answer: str) -> None:
    async def run() -> None:
        bench = await opened(json.dumps(answer))
        assert await condense(bench.road, MAIN) == 0
        (aside,) = await asides(bench)
        assert (aside.body["kind"], aside.body["errand"], aside.body["asks"]) == ("unanswered", "rumour", 1)
        assert "answer" not in aside.body
        body = await bench.told_by("He nods.").commit(Say("I wave"), "op")
        assert "/bridge/keeper" not in {change.path for change in body.changes}

    asyncio.run(run())


def test_a_summary_loses_the_sentences_that_quote_something_hidden() -> None:
    due = DueSummary(1, 4, (), HiddenTexts([HIDDEN], known=lambda: ["They met."]))
    body = due.write(f"They met. He said that `{HIDDEN}`. It rained.")
    assert (body["kind"], body["text"]) == ("summary", "They met. It rained.")
    assert due.write(HIDDEN) == {"kind": "unanswered", "errand": "summary"}


def test_without_a_teller_there_is_nothing_to_condense_with() -> None:
    async def run() -> None:
        bench = (await opened()).with_road(teller=None)
        assert await condense(bench.road, MAIN) == 0
        assert await asides(bench) == []

    asyncio.run(run())


def test_at_most_so_many_errands_and_each_step_has_a_name_of_its_own() -> None:
    async def run() -> None:
        edition = altered(bridge(), systems=(Curious(),))
        runner = Keeping()
        bench = await lay_bench(edition, ["He waits."])
        await bench.commit(Opening(), "opening")
        asking = bench.told_by('"a"', '"b"', '"c"').with_road(limits=TurnLimits(errands_max=2), runner=runner)
        assert await condense(asking.road, MAIN) == 2
        assert runner.ran == [
            "begin errand toll rumour-0",
            "errand toll rumour-0 1",
            "begin errand toll rumour-1",
            "errand toll rumour-1 1",
        ]
        assert [aside.body["answer"] for aside in await asides(bench)] == ["a", "b"]
        assert await condense(asking.road, MAIN) == 1
        assert [aside.body["answer"] for aside in await asides(bench)] == ["a", "b", "c"]

    asyncio.run(run())


def test_the_cheap_model_is_asked_where_there_is_one() -> None:
    async def run() -> None:
        bench = await opened()
        cheap = Scripted(['"it leaks"'])
        main = Scripted([])
        assert await condense(bench.with_road(teller=Teller(main, cheap)).road, MAIN) == 1
        assert (len(main.requests), len(cheap.requests)) == (0, 1)

    asyncio.run(run())


async def take_up(bodies: Sequence[dict[str, Json]]) -> Bench:
    bench = await opened("He nods.")
    head = (await bench.head()).id
    for number, body in enumerate(bodies):
        await bench.book.add(Aside(f"a{number}", head, NOW, body))
    done = await bench.commit(Say("I wave"), "op")
    assert done.asides == tuple(f"a{number}" for number in range(len(bodies)))
    return bench


def test_a_summary_becomes_part_of_the_memory() -> None:
    async def run() -> None:
        bench = await take_up([{"kind": "summary", "text": "They met at a bridge."}])
        assert await bench.value("_engine.summary") == "They met at a bridge."
        too_long = "x" * (SUMMARY_LENGTH_MAX + 1)
        bench = await take_up([{"kind": "summary", "text": too_long}, {"kind": "summary"}])
        assert await bench.value("_engine.summary") == ""

    asyncio.run(run())


def test_asides_that_nobody_understands_are_taken_up_as_nothing() -> None:
    async def run() -> None:
        bench = await take_up(
            [
                {"kind": "errand", "system": "gone", "errand": "rumour", "answer": "x"},
                {"kind": "errand", "system": "toll", "errand": "other", "answer": "x"},
                {"kind": "unanswered", "system": "toll", "errand": "rumour"},
                {},
            ]
        )
        assert await bench.value("bridge.keeper") == ""

    asyncio.run(run())


class Historian(Toll):
    """A toll that asks about everything that was."""

    def reach(self, sight: Sight) -> int:
        return 1

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return [Errand("all", " ".join(f"{turn.version}:{turn.input}" for turn in turns), True)]


def test_errands_know_the_turns() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(Historian(),)), ["He waits."] * 3)
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("a"), "op-1")
        await bench.commit(Say("b"), "op-2")
        asking = bench.told_by("1").with_road(limits=TurnLimits(asides_commits=1))
        assert await condense(asking.road, MAIN) == 1
        assert asking.provider.requests[0].messages[1].text == "1: 2:a 3:b"

    asyncio.run(run())


def test_work_that_names_a_turn_is_done_for_that_turn() -> None:
    async def run() -> None:
        bench = await opened("He nods.", '"it leaks"')
        first = (await bench.head()).id
        await bench.commit(Say("I wait."), "later")
        assert await condense(bench.road, MAIN, first) == 1
        assert [aside.commit for aside in await asides(bench)] == [first]
        assert (await bench.head()).id != first

    asyncio.run(run())
