"""The judged turn: a call judges only what is new, and gives what judging everything again would give."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.common.work_meter import TooMuchWorkError
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_master.judged_turn import JudgedTurn
from talewright.turn.game_master.master_turn import RoundResult
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.telling import Try
from talewright.turn.turn_limits import TurnLimits
from tests.turn.differences import find_differences
from tests.turn.making import Bench, bridge, lay_bench
from tests.turn.mastering import Master, begin_master

CALLS = 30
SPARE_STEPS = 3_000
"""Steps of work for a few rounds."""

HIDDEN = "the keeper once drowned a man who would not pay, and sold his boots"


@pytest.fixture
def briefings(monkeypatch: pytest.MonkeyPatch) -> list[Try]:
    """Every try that was briefed: the most expensive part of judging a turn from the start."""
    made: list[Try] = []
    brief = Try.brief

    async def note(self, context, deed):  # type: ignore[no-untyped-def]
        made.append(self)
        return await brief(self, context, deed)

    monkeypatch.setattr(Try, "brief", note)
    return made


async def open_bridge() -> tuple[Bench, Master]:
    bench = await lay_bench(bridge())
    await (await begin_master(bench.road, "main", Opening(), "opening")).finish("A man under a lamp.")
    return bench, await begin_master(bench.road, "main", Say("I pay"), "op")


def forget(master: Master) -> Master:
    """The same game master, in a process that remembers nothing."""
    return replace(master, road=replace(master.road, folds=FoldCache()))


async def tell(master: Master, *, forgetful: bool) -> tuple[list[RoundResult], Commit]:
    """A turn with calls that are granted, refused and flawed, and a narration that is refused at first."""
    rounds: tuple[list[Call | Update], ...] = (
        [Call("pay", {"coins": 1}, "c1")],
        [Call("pay", {"coins": 99}, "c2"), Update(Op.INC, "mood", 1)],
        [Update(Op.PUSH, "log", HIDDEN)],
        [Update(Op.PUSH, "log", "rain", HIDDEN)],
        [Call("gamble", {}, "c3")],
        [Update(Op.PUSH, "log", "rain")],
    )
    results = []
    for moves in rounds:
        results.append(await (forget(master) if forgetful else master).propose(moves))
    for text in (f"He says: {HIDDEN}.", "He shakes the cup."):
        done = await (forget(master) if forgetful else master).tell(
            text, ("Row", "Wait", "Swim"), ["He won."]
        )
        if isinstance(done, RoundResult):
            results.append(done)
    assert not isinstance(done, RoundResult)
    return results, done.commit


def test_the_thirtieth_call_is_judged_like_the_first(briefings: list[Try]) -> None:
    async def run() -> None:
        _, master = await open_bridge()
        briefings.clear()
        for number in range(CALLS):
            result = await master.propose([Update(Op.PUSH, "log", f"line {number}")])
            assert not result.flaws
        # A refused narration does not cost more either.
        assert isinstance(await master.tell(f"He says: {HIDDEN}."), RoundResult)
        await master.finish("Three coins.")
        assert briefings == []

    asyncio.run(run())


def test_a_turn_is_the_same_whoever_remembers_it() -> None:
    async def run() -> None:
        told = []
        for forgetful in (False, True):
            bench, master = await open_bridge()
            results, commit = await tell(master, forgetful=forgetful)
            assert [bool(result.flaws) for result in results] == [
                False,
                False,
                False,
                True,
                False,
                False,
                True,
            ]
            assert find_differences(commit, await replay_turn(bench.road, commit)) == ()
            told.append((results, commit))
        assert told[0] == told[1]

    asyncio.run(run())


def test_what_is_stored_decides(briefings: list[Try]) -> None:
    async def run() -> None:
        bench, master = await open_bridge()
        await master.propose([Update(Op.PUSH, "log", "one")])
        briefings.clear()
        # Another process continues the turn; this one judges again what it does not know.
        await forget(master).propose([Update(Op.PUSH, "log", "two")])
        assert len(briefings) == 1
        await master.propose([Update(Op.PUSH, "log", "three")])
        assert len(briefings) == 2
        await master.finish("Three lines.")
        assert len(briefings) == 2
        assert await bench.value("log") == ["one", "two", "three"]

    asyncio.run(run())


def test_calls_at_the_same_time_are_judged_one_after_the_other() -> None:
    async def run() -> None:
        bench, master = await open_bridge()
        calls = [master.propose([Update(Op.PUSH, "log", f"{number}")]) for number in range(2)]
        done = await asyncio.gather(*calls, return_exceptions=True)
        stored = await bench.book.open_turn("main")
        assert stored is not None
        granted = [one for one in done if isinstance(one, RoundResult)]
        assert len(granted) == len(stored.body["rounds"])  # type: ignore[arg-type]
        await master.finish("Lines.")
        assert len(await bench.value("log")) == len(granted)  # type: ignore[arg-type]

    asyncio.run(run())


async def count_granted(master: Master, *, forgetful: bool) -> int:
    """How many rounds are judged before the turn takes too many steps."""
    granted = 0
    while True:
        try:
            await (forget(master) if forgetful else master).propose([Update(Op.PUSH, "log", f"{granted}")])
        except TooMuchWorkError:
            return granted
        granted += 1


def test_a_turn_has_one_budget_of_work() -> None:
    async def run() -> None:
        _, master = await open_bridge()
        begun = master.road.folds.take_judged()
        assert isinstance(begun, JudgedTurn)
        counts = []
        for forgetful in (False, True):
            bench, before = await open_bridge()
            await before.finish("Coins.")
            small = bench.with_road(limits=TurnLimits(work_max=begun.steps + SPARE_STEPS))
            master = await begin_master(small.road, "main", Say("I pay again"), "again")
            counts.append(await count_granted(master, forgetful=forgetful))
        assert counts[0] == counts[1]
        assert 0 < counts[0] < CALLS

    asyncio.run(run())
