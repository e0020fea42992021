"""The outside plan: a lease, calls judged as they come, and words that close the turn."""

import asyncio

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.chronicle.store import HeadMovedError
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.judging.moves_and_rulings import Call, Granted, Op, Refused, Update
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Input, Opening, Say
from talewright.turn.outside_turn import LeaseError, OutsideTurn, begin_outside
from talewright.turn.records.commit_body import read_body
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted, TurnFailed
from tests.turn.doubles import Trying, raising
from tests.turn.making import Bench, bridge, calls, ferry, lay_bench

OFFER = SuggestedChoice("row", "Row")


async def begin(bench: Bench, given: Input, operation: str = "op", base: str = "") -> OutsideTurn:
    opened = await begin_outside(bench.road, "main", given, operation, base)
    assert isinstance(opened, OutsideTurn), opened
    return opened


def test_a_turn_from_beginning_to_end() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        bench.signals.clear()
        turn = await begin(bench, Say("I pay three"))
        assert turn.deed.said == "I pay three"
        before = await bench.standing()
        granted = await turn.propose([Call("pay", {"coins": 3}, "c1")])
        assert [type(ruling) for ruling in granted] == [Granted]
        refused = await turn.propose([Update(Op.INC, "moood", 1), Update(Op.INC, "mood", 1)])
        assert [type(ruling) for ruling in refused] == [Refused, Granted]
        # Nothing is written before the end.
        assert await bench.standing() == before
        outcome = await turn.finish("Three coins,\x1b[31m and not a word.", [OFFER])
        assert not outcome.repeated
        body = read_body(outcome.commit.body)
        assert (body.told, body.narration) == ("outside", "Three coins,[31m and not a word.")
        assert [(choice.id, choice.source) for choice in body.choices] == [("row", "model")]
        assert await bench.value("bridge.coins") == 0
        assert await bench.value("mood") == 0
        assert len(body.rulings) == 3
        assert [type(signal) for signal in bench.signals] == [TurnAccepted, TurnCommitted]
        assert (body.exchanges, body.model, body.usage) == ((), None, None)
        # A choice that was offered from outside is words when it is taken.
        assert (await begin(bench, Choose("row"), "row")).deed.said == "Row"

    asyncio.run(run())


def test_the_same_operation_gives_the_same_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        turn = await begin(bench, Opening())
        done = await turn.finish("It begins.")
        assert await turn.finish("It begins.") == Committed(done.commit, repeated=True)
        assert await begin_outside(bench.road, "main", Opening(), "op") == Committed(
            done.commit, repeated=True
        )

    asyncio.run(run())


def test_an_end_is_told_after_the_words() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("")
        assert (await bench.recall()).body.narration == ""
        turn = await begin(bench, Say("I cross"))
        await turn.propose([Call("pay", {"coins": 1}), Update(Op.INC, "mood", 4)])
        body = read_body((await turn.finish("Over.")).commit.body)
        assert body.narration == "Over.\n\nThe far bank is mud, and it is yours."
        assert body.end is not None

    asyncio.run(run())


def test_an_input_that_does_not_fit() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        count = len(await bench.records())
        assert await begin_outside(bench.road, "main", Say(" "), "op") == Unspent(OutcomeReason.EMPTY)
        assert len(await bench.records()) == count
        outcome = await begin_outside(bench.road, "main", Choose("fly"), "op")
        assert outcome == Unspent(OutcomeReason.NO_SUCH_CHOICE, "fly")
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body) == (
            AttemptVerdict.UNSPENT,
            {"reason": "no_such_choice", "detail": "fly"},
        )
        assert bench.signals[-1] == TurnFailed("no_such_choice")

    asyncio.run(run())


def test_a_decision_is_judged_when_the_turn_is_opened() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits.", calls("The cup.", ("gamble", {}))])
        await bench.commit(Opening(), "op-1")
        await bench.commit(Say("I gamble"), "op-2")
        turn = await begin(bench, AnswerDecision("gamble", "roll"), "op-3")
        body = read_body((await turn.finish("It falls.")).commit.body)
        (draw,) = body.draws
        assert await bench.value("bridge.last_roll") == draw.face

    asyncio.run(run())


def test_a_turn_is_not_left_open_for_ever() -> None:
    async def run() -> None:
        clock = [100.0]
        limits = TurnLimits(lease_seconds_max=5)
        bench = await lay_bench(ferry(), limits=limits, seconds=lambda: clock[0])
        turn = await begin(bench, Opening())
        clock[0] = 105.0
        await turn.propose([])
        clock[0] = 105.1
        for late in (turn.propose([]), turn.finish("Too late.")):
            with pytest.raises(LeaseError) as caught:
                await late
            assert caught.value.message == "the turn was left open too long"
            assert caught.value.hint == "Begin the turn again; its input is kept."
        assert (await bench.head()).version == 0
        assert [accepted.operation_id for accepted in (await bench.book.look()).waiting] == ["op"]
        clock[0] = 0.0
        assert isinstance(await (await begin(bench, Opening())).finish("In time."), Committed)

    asyncio.run(run())


def test_another_turn_came_first() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        base = (await bench.head()).id
        turn = await begin(bench, Choose("pay"))
        await bench.commit(Choose("wait"), "first")
        head = (await bench.head()).id
        for late in (turn.finish("Paid."), begin_outside(bench.road, "main", Choose("pay"), "op", base)):
            with pytest.raises(HeadMovedError) as caught:
                await late
            assert caught.value.head == head
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.LOST] * 2
        assert (await bench.book.look()).waiting == ()
        with pytest.raises(HeadMovedError):
            await begin_outside(bench.road, "main", Choose("pay"), "new", base)
        assert await bench.attempts("new") == ()

    asyncio.run(run())


def test_what_the_book_refuses_is_raised() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), book=Trying)
        assert isinstance(bench.book, Trying)
        turn = await begin(bench, Opening())
        bench.book.before["commit"] = raising(OSError("no disk"))
        with pytest.raises(OSError, match="no disk"):
            await turn.finish("It begins.")
        assert (await bench.head()).version == 0

    asyncio.run(run())
