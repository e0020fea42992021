"""Turns that are broken off: cancelled, overtaken, or refused by the book."""

import asyncio

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.chronicle.store import ChronicleError, ClosedCampaignError, DamagedError, UnsavedError
from talewright.errors import TalewrightError
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.pipeline import STOPPED
from talewright.turn.turn_outcomes import Committed, Failed, OutcomeReason
from talewright.turn.turn_signals import TurnFailed
from tests.turn.doubles import Stalling, Trying, moved, raising
from tests.turn.expecting import cost, expect_unchanged, spent, texts
from tests.turn.making import USED, cards, ferry, lay_bench

SAID = Say("I untie the boat myself")


@pytest.mark.parametrize("pieces", [(), ('{"narrative_markdown": "He', " waits")])
def test_cancelled_while_the_provider_waits(pieces: tuple[str, ...]) -> None:
    async def run() -> None:
        stalling = Stalling(*pieces)
        bench = await lay_bench(ferry(), provider=stalling, opened=True)
        before = await bench.standing()
        task = asyncio.create_task(bench.take(SAID, "op"))
        await stalling.waits.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("op")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.INTERRUPTED, "cancelled")
        assert texts(attempt) == ["".join(pieces)]
        assert attempt.body["asks"] == 1
        assert stalling.closed
        # The input waits and can be gone on with, under its own name.
        (waiting,) = (await bench.book.look()).waiting
        assert waiting.operation_id == "op"
        done = bench.told_by(cards("He nods."))
        assert (await done.commit(SAID, "op")).narration == "He nods."
        assert (await bench.book.look()).waiting == ()
        later = await bench.with_road(teller=None).commit(Say("Haggle"), "later")
        assert [(draw.version, draw.index) for draw in later.draws] == [(3, 0), (3, 1)]

    asyncio.run(run())


def test_cancelled_before_the_input_is_safe() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        bench.book.before["accept"] = raising(asyncio.CancelledError())
        count = len(await bench.records())
        with pytest.raises(asyncio.CancelledError):
            await bench.take(Choose("wait"), "op")
        assert len(await bench.records()) == count

    asyncio.run(run())


def test_stopped_by_the_player_the_input_waits_no_longer() -> None:
    async def run() -> None:
        stalling = Stalling()
        bench = await lay_bench(ferry(), provider=stalling, opened=True)
        task = asyncio.create_task(bench.take(SAID, "op"))
        await stalling.waits.wait()
        task.cancel(STOPPED)
        with pytest.raises(asyncio.CancelledError):
            await task
        (attempt,) = await bench.attempts("op")
        assert attempt.verdict is AttemptVerdict.CANCELLED
        status = await bench.book.look()
        assert (status.waiting, status.newest_attempt) == ((), attempt)

    asyncio.run(run())


@pytest.mark.parametrize("when", ["before", "after"])
def test_cancelled_at_the_commit(when: str) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        getattr(bench.book, when)["commit"] = raising(asyncio.CancelledError())
        with pytest.raises(asyncio.CancelledError):
            await bench.take(SAID, "op")
        trail = await bench.book.find("op")
        verdicts = [attempt.verdict for attempt in trail.attempts]
        # What is part of the story was paid for once.
        assert verdicts == [AttemptVerdict.INTERRUPTED if when == "before" else AttemptVerdict.COMMITTED]
        assert spent(trail.attempts[0]) == cost(USED)
        assert (trail.commit is None) is (when == "before")

    asyncio.run(run())


def test_the_head_moved_before_the_input_was_accepted() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        stale = (await bench.head()).id
        await bench.commit(Choose("wait"), "first")
        before, count = await bench.standing(), len(await bench.records())
        outcome = await bench.take(Choose("wait"), "late", base=stale)
        assert outcome == Failed(OutcomeReason.MOVED, head=before[0])
        assert bench.signals[-1] == TurnFailed("moved")
        # It was never accepted, nobody was asked, and so there is nothing to write down.
        assert len(await bench.records()) == count
        assert await bench.standing() == before

    asyncio.run(run())


def test_the_head_moved_between_accepting_and_recalling() -> None:
    async def run() -> None:
        stalling = Stalling()
        bench = await lay_bench(ferry(), provider=stalling, opened=True)
        stale = (await bench.head()).id
        task = asyncio.create_task(bench.take(SAID, "op"))
        await stalling.waits.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        other = bench.with_road(teller=None)
        await other.commit(Choose("wait"), "first")
        head = (await bench.head()).id
        assert await other.take(SAID, "op", base=stale) == Failed(OutcomeReason.MOVED, head=head)
        verdicts = [attempt.verdict for attempt in await bench.attempts("op")]
        assert verdicts == [AttemptVerdict.INTERRUPTED, AttemptVerdict.LOST]
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_the_head_moved_at_the_commit() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        bench.book.before["commit"] = raising(moved("there"))
        expected = Failed(OutcomeReason.MOVED, head="there")
        attempt = await expect_unchanged(bench, lambda: bench.take(SAID, "op"), expected, AttemptVerdict.LOST)
        assert spent(attempt) == cost(USED)
        assert texts(attempt) == [cards("He nods.").text]
        assert len(await bench.attempts("op")) == 1

    asyncio.run(run())


BROKEN: list[tuple[Exception, Failed]] = [
    (UnsavedError("the disk is full", "Make room."), Failed(OutcomeReason.UNSAVED, "the disk is full")),
    (DamagedError("the bytes are bad"), Failed(OutcomeReason.READ_ONLY, "the bytes are bad")),
    (ClosedCampaignError("closed for good"), Failed(OutcomeReason.CLOSED, "closed for good")),
    (ChronicleError("closed already"), Failed(OutcomeReason.ERROR, "closed already")),
    (TalewrightError("no such luck"), Failed(OutcomeReason.ERROR, "no such luck")),
    (OSError(5, "no more disk"), Failed(OutcomeReason.ERROR, "OSError: [Errno 5] no more disk")),
]


@pytest.mark.parametrize(("error", "expected"), BROKEN)
def test_a_book_that_refuses_the_commit(error: Exception, expected: Failed) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        bench.book.before["commit"] = raising(error)
        full = isinstance(error, UnsavedError)
        verdict = AttemptVerdict.INTERRUPTED if full else AttemptVerdict.FAILED
        attempt = await expect_unchanged(bench, lambda: bench.take(SAID, "op"), expected, verdict)
        assert spent(attempt) == cost(USED)
        assert texts(attempt) == [cards("He nods.").text]
        # Whoever makes room on the disk goes on with the same input.
        waiting = [accepted.operation_id for accepted in (await bench.book.look()).waiting]
        assert waiting == (["op"] if full else [])

    asyncio.run(run())


@pytest.mark.parametrize(("error", "expected"), BROKEN)
def test_a_book_that_refuses_the_input(error: Exception, expected: Failed) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        before, count = await bench.standing(), len(await bench.records())
        bench.book.before["accept"] = raising(error)
        assert await bench.take(SAID, "op") == expected
        assert bench.signals == [TurnFailed(expected.reason.value)]
        assert bench.provider.requests == []
        assert len(await bench.records()) == count
        assert await bench.standing() == before

    asyncio.run(run())


def test_a_book_that_refuses_everything_from_the_commit_on() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        book = bench.book
        assert isinstance(book, Trying)
        before = await bench.standing()
        full = UnsavedError("the disk is full")

        async def refuse() -> None:
            book.before |= {"find": raising(full), "add": raising(full)}
            raise full

        book.before["commit"] = refuse
        assert await bench.take(SAID, "op") == Failed(OutcomeReason.UNSAVED, "the disk is full")
        assert book.before == {}
        assert await bench.attempts("op") == ()
        assert await bench.standing() == before
        # The input is safe and waits.
        assert [accepted.operation_id for accepted in (await book.look()).waiting] == ["op"]

    asyncio.run(run())


def test_what_is_part_of_the_story_cannot_fail_any_more() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        bench.book.after["commit"] = raising(UnsavedError("not known whether it was saved"))
        outcome = await bench.take(SAID, "op")
        assert isinstance(outcome, Committed)
        assert (outcome.commit.version, outcome.repeated) == (2, False)
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.COMMITTED]

    asyncio.run(run())


def test_a_snapshot_that_cannot_be_kept_harms_no_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True, book=Trying)
        assert isinstance(bench.book, Trying)
        for number in range(2, 32):
            await bench.commit(Choose("wait"), f"op-{number}")
        bench.book.before["keep snapshot"] = raising(UnsavedError("the disk is full"))
        assert isinstance(await bench.take(Choose("wait"), "op-32"), Committed)
        assert bench.book.before == {}
        assert (await bench.recall()).head.version == 32

    asyncio.run(run())


def test_no_branch_of_that_name() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        expected = Failed(OutcomeReason.ERROR, "there is no branch 'nowhere' in this campaign")
        assert await bench.take(Choose("wait"), "op", branch="nowhere") == expected
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_a_watcher_that_breaks_is_no_harm_to_a_turn_that_is_safe() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        heard: list[str] = []

        def listen(signal: object) -> None:
            heard.append(type(signal).__name__)
            if heard.count("TurnCommitted") == 1 and heard[-1] == "TurnCommitted":
                raise ValueError("a broken screen")

        outcome = await bench.with_road(listener=listen).take(Choose("wait"), "op")
        assert isinstance(outcome, Committed)
        assert heard.count("TurnCommitted") == 2
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.COMMITTED]
        assert not outcome.repeated

    asyncio.run(run())
