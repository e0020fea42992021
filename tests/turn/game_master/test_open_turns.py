"""Open turns: found by anyone, briefed as they stand, and ended by whoever may."""

import asyncio

import pytest

from talewright.chronicle.records import MAIN
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    begin_outside,
    brief_now,
    end_open_turn,
    find_open_turn,
)
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.steps import telling
from talewright.turn.turn_outcomes import Committed
from talewright.turn.turn_progress import TurnProgress
from tests.turn.making import Bench, bridge, ferry, lay_bench
from tests.turn.mastering import begin_master


async def at_bridge() -> Bench:
    """A campaign after its opening."""
    bench = await lay_bench(bridge())
    await (await begin_master(bench.road, MAIN, Opening(), "opening")).finish("A man under a lamp.")
    return bench


def test_an_open_turn_is_found_and_briefed_with_its_rounds() -> None:
    async def run() -> None:
        bench = await at_bridge()
        assert await find_open_turn(bench.road, MAIN) is None
        before = await brief_now(bench.road, MAIN)
        master = await begin_master(bench.road, MAIN, Say("I pay three"), "op")
        await master.propose([Call("pay", {"coins": 3}, "c1")])
        standing = await find_open_turn(bench.road, MAIN)
        assert standing is not None
        assert (standing.handle.operation_id, standing.rounds, standing.is_told) == ("op", 1, False)
        within = await brief_now(bench.road, MAIN, before.version)
        (state,) = (one.text for one in within.sections if one.name == "state")
        assert state not in [one.text for one in before.sections]

    asyncio.run(run())


def test_an_open_turn_ends_and_a_finished_one_stands() -> None:
    async def run() -> None:
        bench = await at_bridge()
        await begin_master(bench.road, MAIN, Say("I wait"), "op")
        standing = await find_open_turn(bench.road, MAIN)
        assert standing is not None
        assert await end_open_turn(bench.road, standing) is None
        assert await find_open_turn(bench.road, MAIN) is None
        master = await begin_master(bench.road, MAIN, Say("I wait on"), "op-2")
        standing = await find_open_turn(bench.road, MAIN)
        assert standing is not None
        done = await master.finish("He waits, too.")
        ended = await end_open_turn(bench.road, standing)
        assert isinstance(ended, Committed)
        assert (ended.commit.id, ended.repeated) == (done.commit.id, True)

    asyncio.run(run())


def test_whoever_continues_a_turn_reads_the_decision_that_is_open_in_it() -> None:
    async def run() -> None:
        bench = await at_bridge()
        master = await begin_master(bench.road, MAIN, Say("I gamble"), "op", holder="ours")
        await master.propose([Call("gamble", {}, "c1")])
        again = await begin_outside(bench.road, MAIN, Say("I gamble"), "op", "", "ours")
        assert isinstance(again, OpenedTurn)
        (card,) = again.decisions
        assert card.id == "gamble"
        assert all(option.label for option in card.options)

    asyncio.run(run())


def test_dice_that_would_fall_at_the_end_are_not_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def settle(working: TurnProgress) -> None:
        fate = working.fortune.open()
        drawn.append(fate.draw(6))
        working.fortune.keep(fate)

    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        monkeypatch.setattr(telling, "_settle", settle)
        master = await begin_master(bench.road, MAIN, Choose("haggle"), "op")
        assert drawn
        # It is only settled, and the dice fall, when the turn is finished.
        seen = len(drawn)
        body = read_body((await master.finish("Two coins.")).commit.body)
        assert len(drawn) > seen
        assert len(body.draws) == len(drawn) - seen + 2, "two are those of the choice"

    asyncio.run(run())


def test_an_update_that_takes_something_away_is_reported() -> None:
    async def run() -> None:
        bench = await at_bridge()
        master = await begin_master(bench.road, MAIN, Say("I look"), "op")
        await master.propose([Update(Op.PUSH, "log", "rain")])
        told = await master.propose([Update(Op.REMOVE, "log", "rain")])
        assert '"changes"' in told.results[0].text

    asyncio.run(run())
