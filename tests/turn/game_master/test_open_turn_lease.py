"""The lease of an open turn: it ends when nobody has called for long enough, and then the branch is free."""

import asyncio

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.turn.game_master.open_turn_lease import LEASE_SECONDS_MAX, LeaseError, lease_end
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.turn_limits import TurnLimits
from tests.turn.making import NOW, ferry, lay_bench
from tests.turn.mastering import begin_master


def test_a_lease_lasts_half_an_hour_from_the_latest_call() -> None:
    assert TurnLimits().lease_seconds_max == LEASE_SECONDS_MAX
    assert lease_end("2026-11-18T23:45:00Z", LEASE_SECONDS_MAX) == "2026-11-19T00:15:00.000000Z"


def test_a_turn_is_not_left_open_for_ever() -> None:
    async def run() -> None:
        clock = [0.0]
        limits = TurnLimits(lease_seconds_max=5)
        bench = (await lay_bench(ferry(), limits=limits)).with_road(now=lambda: lease_end(NOW, clock[0]))
        turn = await begin_master(bench.road, "main", Opening(), "op")
        clock[0] = 5.0
        # Every round begins the time anew.
        await turn.propose([])
        clock[0] = 10.1
        for late in (turn.propose([]), turn.tell("Too late.")):
            with pytest.raises(LeaseError) as caught:
                await late
            assert caught.value.message == "the turn was left open too long"
            assert caught.value.hint == "Begin the turn again; its input is kept."
        assert (await bench.head()).version == 0
        assert [accepted.operation_id for accepted in (await bench.book.look()).waiting] == ["op"]
        # The campaign is free: another turn may be begun, and the old input no longer waits.
        other = await begin_master(bench.road, "main", Opening(), "other")
        assert (await other.finish("In time.")).commit.operation_id == "other"
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.CANCELLED, "timed_out")
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_the_same_turn_is_begun_again_when_its_time_has_run_out() -> None:
    async def run() -> None:
        clock = [0.0]
        limits = TurnLimits(lease_seconds_max=5)
        bench = (await lay_bench(ferry(), limits=limits)).with_road(now=lambda: lease_end(NOW, clock[0]))
        first = await begin_master(bench.road, "main", Opening(), "op")
        clock[0] = 6.0
        second = await begin_master(bench.road, "main", Opening(), "op")
        assert second.opened.handle.holder != first.opened.handle.holder
        with pytest.raises(LeaseError):
            await first.propose([])
        assert (await second.finish("Again.")).commit.operation_id == "op"

    asyncio.run(run())
