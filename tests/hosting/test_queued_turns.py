"""Queued turns: a node learns how a turn ended, whatever happens to its worker and its events."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest

from talewright.chronicle.records import MAIN, AttemptVerdict
from talewright.common.json_values import Json
from talewright.hosting import queued_turns
from talewright.hosting.turn_jobs import write_outcome
from talewright.play.campaign_news import SignalsLost
from talewright.play.session import Stamp
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.store_session import StoreSession
from talewright.play.sessions.turn_execution import TurnEnd
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason
from talewright.turn.turn_signals import Signal, TurnDegraded, TurnFailed
from tests.hosting.memory_host import MemoryHost
from tests.play.scenes import room
from tests.play.tellers import BROKEN, teller

OPERATION = "op-1"
SOON, NEVER = 0.01, 3_600.0


class WaitingTurn:
    """A turn that was ordered, and that no worker takes."""

    def __init__(self, host: MemoryHost, session: StoreSession, end: "asyncio.Task[TurnEnd]") -> None:
        self.host, self.session, self.end = host, session, end

    @property
    def workflow(self) -> str:
        return self.host.queue.ordered[-1].workflow

    def publish(self, signal: Signal | SignalsLost) -> None:
        """Let the node hear something."""
        self.host.broadcasts[0].shared.publish(cast(Signal, signal))

    async def fail(self, reason: str) -> None:
        """Record that the turn has failed."""
        book = self.session.seat.road.book
        accepted = (await book.find(OPERATION)).accepted
        assert accepted is not None
        await book.add(make_attempt("try", "at", accepted, AttemptVerdict.FAILED, AttemptLedger(), reason))


@asynccontextmanager
async def waiting_turn(monkeypatch: pytest.MonkeyPatch, look_seconds: float) -> AsyncIterator[WaitingTurn]:
    host = MemoryHost(monkeypatch, room())
    async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
        monkeypatch.setattr(queued_turns, "LOOK_SECONDS", look_seconds)
        host.queue.worker = None
        before = len(host.queue.ordered)
        end = asyncio.create_task(host.turns[0].run(MAIN, Choose("wait"), Stamp(OPERATION)))
        while len(host.queue.ordered) == before:
            await asyncio.sleep(0)
        host.queue.looks = 0
        yield WaitingTurn(host, session, end)
        end.cancel()


async def settle() -> None:
    """Let everything that can run do so."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_the_end_of_a_turn_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(queued_turns, "LOOK_SECONDS", NEVER)
        host = MemoryHost(monkeypatch, room(), teller(BROKEN, BROKEN, BROKEN))
        async with asyncio.timeout(20), await host.lobby.begin("test", "en"):
            told = await host.turns[0].run(MAIN, Choose("wait"), Stamp(OPERATION))
            assert isinstance(told.outcome, Committed)
            assert told.is_announced
            # The provider's trouble is in no record; it comes with the event.
            ended = await host.turns[0].run(MAIN, Say("I sing."), Stamp("op-2"))
            assert ended.outcome == Degraded(OutcomeReason.UNTOLD, trouble="unreachable")

    asyncio.run(run())


def test_a_turn_whose_events_do_not_arrive_is_found_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(queued_turns, "LOOK_SECONDS", SOON)
        host = MemoryHost(monkeypatch, room(), worker_news=NewsBus())
        async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
            end = await host.turns[0].run(MAIN, Choose("wait"), Stamp(OPERATION))
            assert isinstance(end.outcome, Committed)
            assert (await session.view()).version == 2

    asyncio.run(run())


def test_whoever_leaves_does_not_wait_and_the_turn_stays_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with waiting_turn(monkeypatch, NEVER) as turn:
            await turn.host.turns[0].stop(MAIN, leaving=True)
            assert await turn.end == TurnEnd(Failed(OutcomeReason.CANCELLED))
            assert turn.host.queue.states[turn.workflow].is_open
            waiting = (await turn.session.seat.road.book.look()).waiting
            assert [one.operation_id for one in waiting] == [OPERATION]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (None, Failed(OutcomeReason.ERROR)),
        (write_outcome(Failed(OutcomeReason.UNSAVED)), Failed(OutcomeReason.UNSAVED)),
    ],
)
def test_a_turn_without_a_record_ends_as_its_workflow_did(
    monkeypatch: pytest.MonkeyPatch, result: Json, outcome: Outcome
) -> None:
    async def run() -> None:
        async with waiting_turn(monkeypatch, SOON) as turn:
            turn.host.queue.end(turn.workflow, result)
            assert (await turn.end).outcome == outcome

    asyncio.run(run())


def test_a_turn_whose_workflow_is_lost_is_ordered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with waiting_turn(monkeypatch, SOON) as turn:
            first, queue = turn.workflow, turn.host.queue
            queue.states.clear()
            queue.worker = turn.host.worker
            assert isinstance((await turn.end).outcome, Committed)
            assert turn.workflow == first

    asyncio.run(run())


def test_each_loss_of_signals_is_looked_into_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with waiting_turn(monkeypatch, NEVER) as turn:
            for looks in (1, 2):
                turn.publish(SignalsLost())
                await settle()
                assert turn.host.queue.looks == looks
            assert not turn.end.done()

    asyncio.run(run())


def test_the_record_says_how_a_turn_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with waiting_turn(monkeypatch, NEVER) as turn:
            # Of another turn, and of an attempt that came before the last one.
            turn.publish(TurnFailed("cancelled", branch=MAIN, operation_id="another"))
            await settle()
            assert turn.host.queue.looks == 0
            await turn.fail("timed_out")
            turn.publish(TurnDegraded("untold", "unreachable", MAIN, OPERATION))
            assert (await turn.end).outcome == Failed(OutcomeReason.TIMED_OUT)

    asyncio.run(run())
