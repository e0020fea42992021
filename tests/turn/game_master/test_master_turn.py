"""The outside turn: stored data with a lease, rounds judged as a model's, and words that close it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from talewright.chronicle.records import Accepted, Aside, Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import HeadMovedError, OpenTurnMovedError
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import OpenedEditions
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    begin_outside,
    finish,
    give_up,
    propose,
)
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Opening, Say, to_json
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted, TurnFailed
from tests.turn.differences import find_differences
from tests.turn.doubles import Trying, raising
from tests.turn.making import NOW, Bench, bridge, calls, ferry, lay_bench
from tests.turn.mastering import Master, begin_master

OFFERS = ("Row", "Wait", "Swim")


async def begin(bench: Bench, given, operation: str = "op", base: str = "", holder: str = "") -> Master:  # type: ignore[no-untyped-def]
    return await begin_master(bench.road, "main", given, operation, base, holder)


def at(seconds: float) -> str:
    """So many seconds after the beginning."""
    moment = datetime.fromisoformat(NOW) + timedelta(seconds=seconds)
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def other_process(bench: Bench) -> Bench:
    """The same campaign in a process that knows nothing but the store; its ids are its own."""
    numbers = iter(range(10**6, 2 * 10**6))
    return bench.with_road(opened=OpenedEditions(), folds=FoldCache(), new_id=lambda: f"{next(numbers):032x}")


def test_a_turn_from_beginning_to_end() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        bench.signals.clear()
        turn = await begin(bench, Say("I pay three"))
        assert (turn.opened.said, turn.opened.results, turn.opened.rounds) == ("I pay three", (), 0)
        before = await bench.standing()
        granted = await turn.propose([Call("pay", {"coins": 3}, "c1")])
        assert [(one.call_id, one.name, one.refused) for one in granted.results] == [("c1", "pay", False)]
        refused = await turn.propose([Update(Op.INC, "moood", 1), Update(Op.INC, "mood", 1)])
        assert [one.refused for one in refused.results] == [True]
        assert "moood" in refused.results[0].text
        # Nothing is part of the story before the end.
        assert await bench.standing() == before
        outcome = await turn.finish("Three coins,\x1b[31m and not a word.", OFFERS)
        assert not outcome.repeated
        body = read_body(outcome.commit.body)
        assert (body.told, body.narration) == ("outside", "Three coins,[31m and not a word.")
        assert [(choice.id, choice.source) for choice in body.choices] == [
            ("row", "model"),
            ("wait", "model"),
            ("swim", "model"),
        ]
        assert await bench.value("bridge.coins") == 0
        assert await bench.value("mood") == 0
        assert [type(signal) for signal in bench.signals] == [TurnAccepted, TurnCommitted]
        # What was handed in stands in the record; no model was asked and nothing was paid.
        assert len(body.exchanges) == 3
        assert (body.model, body.usage) == (None, None)
        assert [attempt.body for attempt in await bench.attempts("op")] == [{}]
        assert await bench.book.open_turn("main") is None
        assert find_differences(outcome.commit, await replay_turn(bench.road, outcome.commit)) == ()
        # A choice that was offered from outside is words when it is taken.
        assert (await begin(bench, Choose("row"), "row")).opened.said == "Row"

    asyncio.run(run())


def test_begun_in_one_process_continued_in_a_second_and_finished_in_a_third() -> None:
    async def tell(hops: bool) -> Commit:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        master = await begin(bench, Say("I gamble"), holder="me")
        rounds: tuple[list[Call], ...] = ([Call("pay", {"coins": 1}, "c1")], [Call("gamble", {}, "c2")], [])
        for number, moves in enumerate(rounds):
            if hops:
                bench = other_process(bench)
                # Begun again under the same name, it is the same open turn, as far as it has come.
                again = await begin(bench, Say("I gamble"), holder="me")
                assert again.opened.handle == master.opened.handle
                assert again.opened.rounds == number
                assert (again.opened.situation != master.opened.situation) is (number == 1)
                master = again
            await master.propose(moves)
        return (await master.finish("He shakes the cup.", OFFERS)).commit

    async def run() -> None:
        assert await tell(True) == await tell(False)

    asyncio.run(run())


def test_two_masters_cannot_both_tell_a_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        first = await begin(bench, Opening())
        for operation, holder in (("op", ""), ("op", "another"), ("other", "")):
            with pytest.raises(LeaseError) as caught:
                await begin(bench, Opening(), operation, holder=holder)
            assert caught.value.message == "someone else is narrating a turn of this campaign"
        stranger = replace(first.opened.handle, holder="another")
        for late in (
            propose(bench.road, stranger, OutsideRound()),
            finish(bench.road, stranger, OutsideRound(text="Mine.")),
            give_up(bench.road, stranger),
        ):
            with pytest.raises(LeaseError) as caught:
                await late
            assert caught.value.message == "this turn is not open"
        assert (await first.finish("It begins.")).commit.version == 1

    asyncio.run(run())


@pytest.mark.parametrize("start", range(6))
def test_of_six_calls_that_finish_at_once_one_does_and_all_name_the_commit(start: int) -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), book=Trying)
        assert isinstance(bench.book, Trying)
        bench.book.gives_way = True
        master = await begin(bench, Opening())

        async def tell(number: int) -> Committed:
            # Some of them come when the first is already further.
            for _ in range(number * start):
                await asyncio.sleep(0)
            return await master.finish(f"Number {number}.")

        results = await asyncio.gather(*map(tell, range(6)))
        assert [one.repeated for one in results].count(False) == 1
        assert {one.commit.id for one in results} == {(await bench.head()).id}
        assert [one.verdict for one in await bench.attempts("op")] == [AttemptVerdict.COMMITTED]
        assert await bench.book.open_turn("main") is None

    asyncio.run(run())


def test_the_same_operation_gives_the_same_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        turn = await begin(bench, Opening())
        done = await turn.finish("It begins.")
        assert await turn.tell("It begins.") == Committed(done.commit, repeated=True)
        again = await begin_outside(bench.road, "main", Opening(), "op")
        assert again == Committed(done.commit, repeated=True)
        elsewhere = replace(turn.opened.handle, branch="elsewhere")
        with pytest.raises(LeaseError):
            await finish(bench.road, elsewhere, OutsideRound(text="It begins."))

    asyncio.run(run())


def test_a_turn_whose_commit_was_cut_short_is_told_as_it_was() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), book=Trying)
        assert isinstance(bench.book, Trying)
        turn = await begin(bench, Opening())
        bench.book.before["commit"] = raising(OSError("no disk"))
        with pytest.raises(OSError, match="no disk"):
            await turn.finish("It begins.")
        assert (await bench.head()).version == 0
        with pytest.raises(LeaseError, match="has been told"):
            await turn.propose([])
        done = await turn.finish("Other words come too late.")
        assert "It begins." in str(done.commit.body["narration"])

    asyncio.run(run())


def test_an_end_is_told_after_the_words() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("")
        assert (await bench.recall()).body.narration == "Rain. A bridge, and a man under a lamp who keeps it."
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


def test_a_turn_that_is_given_up_no_longer_waits() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        turn = await begin(bench, Opening())
        await give_up(bench.road, turn.opened.handle)
        assert (await bench.book.look()).waiting == ()
        assert await bench.book.open_turn("main") is None

    asyncio.run(run())


def test_while_a_turn_is_told_outside_no_other_is_taken() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        turn = await begin(bench, Choose("pay"))
        held = await bench.take(Choose("wait"), "first")
        assert held == Unspent(OutcomeReason.TURN_OPEN)
        assert [one.verdict for one in await bench.attempts("first")] == [AttemptVerdict.UNSPENT]
        await turn.finish("Paid.")
        offered = read_body((await bench.head()).body).choices[0].id
        assert isinstance(await bench.take(Choose(offered), "second"), Committed)

    asyncio.run(run())


def test_a_turn_that_began_where_the_story_no_longer_stands_holds_up_nobody() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        assert isinstance(await bench.take(Choose("haggle"), "one"), Committed)
        offered = read_body((await bench.head()).body).choices[0].id
        await begin(bench, Choose(offered), "outside")
        await bench.go_back()
        assert isinstance(await bench.take(Choose("pay"), "two"), Committed)

    asyncio.run(run())


def test_another_turn_came_first() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        base = (await bench.head()).id
        turn = await begin(bench, Choose("pay"))
        # By another clock its time has run out.
        late = bench.with_road(now=lambda: at(10**6))
        await late.commit(Choose("wait"), "first")
        head = (await bench.head()).id
        for ending in (turn.tell("Paid."), begin_outside(bench.road, "main", Choose("pay"), "op", base)):
            with pytest.raises(HeadMovedError) as caught:
                await ending
            assert caught.value.head == head
        assert AttemptVerdict.LOST in [attempt.verdict for attempt in await bench.attempts("op")]
        assert (await bench.book.look()).waiting == ()
        with pytest.raises(HeadMovedError):
            await begin_outside(bench.road, "main", Choose("pay"), "new", base)
        assert await bench.attempts("new") == ()

    asyncio.run(run())


def test_an_input_that_was_only_accepted_is_lost_to_another_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        # The process is killed before it can open the turn.
        await bench.book.accept(Accepted("op", "main", "", to_json(Choose("pay")), NOW))
        await bench.commit(Choose("wait"), "first")
        with pytest.raises(HeadMovedError):
            await begin_outside(bench.road, "main", Choose("pay"), "op")
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.LOST]
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_a_round_that_comes_first_must_be_known_before_the_turn_is_told() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), book=Trying)
        assert isinstance(bench.book, Trying)
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I pay three"))

        async def pay() -> None:
            await turn.propose([Call("pay", {"coins": 3}, "c1")])

        bench.book.before["write open turn"] = pay
        with pytest.raises(OpenTurnMovedError):
            await turn.tell("He waits.")
        await turn.finish("He takes three coins.")
        assert await bench.value("bridge.coins") == 0

    asyncio.run(run())


def test_an_open_turn_that_was_committed_already_is_only_removed() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        turn = await begin(bench, Choose("haggle"), "first")
        # The process is killed between the commit and the end of its open turn.
        bench.book.after["commit"] = raising(OSError("killed"))
        with pytest.raises(OSError, match="killed"):
            await turn.finish("He wants two coins.")
        await (await begin(bench, Say("I wait"), "second")).finish("More rain.")
        assert [one.verdict for one in await bench.attempts("first")] == [AttemptVerdict.COMMITTED]
        # Its dice were not seen in vain.
        assert not any(isinstance(record, Aside) for record in await bench.records())

    asyncio.run(run())


def test_a_commit_that_is_not_our_own_is_called_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        turn = await begin(bench, Opening(), "opening")
        real = bench.road.book.commit

        async def come_first(commit: Commit, attempt: Attempt) -> Commit:
            # Another process has committed the same operation a moment before.
            await real(replace(commit, id="f" * 32), attempt)
            return await real(commit, attempt)

        monkeypatch.setattr(bench.road.book, "commit", come_first)
        outcome = await turn.finish("A man under a lamp.")
        assert (outcome.commit.id, outcome.repeated) == ("f" * 32, True)

    asyncio.run(run())
