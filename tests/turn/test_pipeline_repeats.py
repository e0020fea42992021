"""One operation, one commit, one answer; and the dice that were always due."""

import asyncio
from collections import Counter

import pytest

from talewright.chronicle.records import Attempt, AttemptVerdict, Commit
from talewright.kernel.chance import commitment, verify_draws
from talewright.kernel.game import ChanceRules, FateKind
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Input, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, OutcomeReason
from tests.turn.doubles import Trying, giving_way
from tests.turn.making import SECRET, Bench, altered, bridge, calls, cards, ferry, lay_bench, plain

TIMES = 10


async def commits(bench: Bench, operation: str) -> list[Commit]:
    return [r for r in await bench.records() if isinstance(r, Commit) and r.operation_id == operation]


@pytest.mark.parametrize("given", [Choose("haggle"), Say("I wave")])
def test_the_same_operation_ten_times_one_after_the_other(given: Input) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")] * TIMES, opened=True)
        base = (await bench.head()).id
        outcomes = [await bench.take(given, "op", base) for _ in range(TIMES)]
        (commit,) = await commits(bench, "op")
        assert outcomes == [Committed(commit), *[Committed(commit, repeated=True)] * (TIMES - 1)]
        assert len(bench.provider.requests) == 1
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.COMMITTED]

    asyncio.run(run())


@pytest.mark.parametrize("given", [Choose("haggle"), Say("I wave")])
def test_the_same_operation_ten_times_at_once(given: Input) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")] * TIMES, opened=True, book=giving_way)
        outcomes = await asyncio.gather(*(bench.take(given, "op") for _ in range(TIMES)))
        (commit,) = await commits(bench, "op")
        assert all(isinstance(outcome, Committed) and outcome.commit == commit for outcome in outcomes)
        assert Counter(getattr(outcome, "repeated", None) for outcome in outcomes) == {False: 1, True: 9}
        # Whoever asked has paid: each ask stands in exactly one attempt.
        attempts = await bench.attempts("op")
        asked = len(bench.provider.requests)
        assert sum(plain(attempt.body.get("asks", 0)) for attempt in attempts) == asked
        verdicts = Counter(attempt.verdict for attempt in attempts)
        assert verdicts[AttemptVerdict.COMMITTED] == 1
        assert sum(verdicts.values()) == asked
        assert set(verdicts) <= {AttemptVerdict.COMMITTED, AttemptVerdict.LOST}

    asyncio.run(run())


def test_a_second_try_that_finds_the_head_moved_by_the_first_gives_its_answer() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True, book=Trying)
        book = bench.book
        assert isinstance(book, Trying)
        first: list[object] = []

        async def overtake() -> None:
            first.append(await bench.take(Choose("wait"), "op"))

        # Another try of the same operation is committed while this one is being accepted.
        book.before["accept"] = overtake
        second = await bench.take(Choose("wait"), "op")
        (commit,) = await commits(bench, "op")
        assert first == [Committed(commit)]
        assert second == Committed(commit, repeated=True)
        assert [attempt.verdict for attempt in await bench.attempts("op")] == [AttemptVerdict.COMMITTED]

    asyncio.run(run())


@pytest.mark.parametrize("asked", [False, True])
def test_a_try_that_breaks_off_after_another_one_was_committed(asked: bool) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He shrugs.")] if asked else None, opened=True, book=Trying)
        book = bench.book
        assert isinstance(book, Trying)

        async def overtake() -> None:
            await bench.with_road(teller=None).take(Choose("wait"), "op")
            raise OSError("no disk")

        book.before["commit"] = overtake
        outcome = await bench.take(Choose("wait"), "op")
        (commit,) = await commits(bench, "op")
        # What is part of the story cannot fail any more.
        assert outcome == Committed(commit, repeated=True)
        verdicts = [attempt.verdict for attempt in await bench.attempts("op")]
        # What a model was asked in vain has been paid for all the same.
        assert verdicts == [AttemptVerdict.COMMITTED, *([AttemptVerdict.LOST] if asked else [])]

    asyncio.run(run())


def test_another_operation_on_the_same_base_is_told_that_it_came_too_late() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.")] * 4, opened=True, book=giving_way)
        outcomes = await asyncio.gather(*(bench.take(Say("I wave"), f"op-{n}") for n in range(4)))
        winners = [outcome for outcome in outcomes if isinstance(outcome, Committed)]
        assert len(winners) == 1
        head = winners[0].commit.id
        assert [o for o in outcomes if o not in winners] == [Failed(OutcomeReason.MOVED, head=head)] * 3
        lost = [
            r for r in await bench.records() if isinstance(r, Attempt) and r.verdict is AttemptVerdict.LOST
        ]
        assert len(lost) == 3
        assert all(attempt.body["asks"] == 1 for attempt in lost)
        assert (await bench.book.look()).waiting == ()

    asyncio.run(run())


def test_after_a_failed_turn_there_is_a_new_attempt() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [], opened=True)
        assert isinstance(await bench.take(Say("I wave"), "op"), Degraded)
        again = bench.told_by(cards("He nods."))
        outcome = await again.take(Say("something else"), "op")
        assert isinstance(outcome, Committed)
        # The input is the one that was accepted under this name.
        assert (outcome.repeated, outcome.commit.body["said"]) == (False, "I wave")
        verdicts = [attempt.verdict for attempt in await bench.attempts("op")]
        assert verdicts == [AttemptVerdict.DEGRADED, AttemptVerdict.COMMITTED]

    asyncio.run(run())


def test_after_undoing_a_new_turn_is_another_one() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods."), cards("He shrugs.")], opened=True)
        undone = await bench.take(Say("I wave"), "first")
        assert isinstance(undone, Committed)
        await bench.go_back()
        new = await bench.take(Say("I wave"), "second")
        assert isinstance(new, Committed)
        assert (new.repeated, new.commit.body["narration"]) == (False, "He shrugs.")
        assert new.commit.parent == undone.commit.parent
        assert new.commit.id != undone.commit.id
        # The undone turn is still there under its own name, and nothing moves by asking for it.
        assert await bench.take(Say("I wave"), "first") == Committed(undone.commit, repeated=True)
        assert (await bench.head()).id == new.commit.id

    asyncio.run(run())


async def roll_twice(edition: Edition) -> tuple[Commit, Commit]:
    """The same choice, undone and taken again."""
    bench = await lay_bench(edition, opened=True)
    first = await bench.take(Choose("haggle"), "first")
    await bench.go_back()
    second = await bench.take(Choose("haggle"), "second")
    assert isinstance(first, Committed)
    assert isinstance(second, Committed)
    return first.commit, second.commit


def test_with_fixed_fate_the_dice_stay_the_same() -> None:
    first, second = asyncio.run(roll_twice(ferry()))
    assert first.body["draws"] == second.body["draws"]
    assert "nonce" not in first.body
    assert first.state_digest == second.state_digest


def test_with_fresh_fate_the_dice_follow_from_a_nonce_that_is_written_down() -> None:
    edition = altered(ferry(), chance=ChanceRules(fate=FateKind.FRESH))
    first, second = asyncio.run(roll_twice(edition))
    nonces = [str(commit.body["nonce"]) for commit in (first, second)]
    assert nonces[0] != nonces[1]
    for commit, nonce in zip((first, second), nonces, strict=True):
        draws = read_body(commit.body).draws
        assert verify_draws(SECRET, commitment(SECRET), draws, {2: bytes.fromhex(nonce)}) == []
        assert verify_draws(SECRET, commitment(SECRET), draws) != []
    assert first.body["draws"] != second.body["draws"]


def test_with_fresh_fate_a_turn_keeps_its_nonce_though_nothing_was_drawn_in_the_end() -> None:
    async def run() -> None:
        edition = altered(ferry(), chance=ChanceRules(fate=FateKind.FRESH))
        bench = await lay_bench(edition, opened=True)
        assert (await bench.commit(Choose("wait"), "op")).nonce != ""
        bench = await lay_bench(ferry(), opened=True)
        assert (await bench.commit(Choose("wait"), "op")).nonce == ""

    asyncio.run(run())


def test_draws_begin_at_zero_in_every_version_and_leave_no_gap() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."])
        await bench.commit(Opening(), "opening")
        gamble = calls("He shakes the cup.", ("gamble", {}))
        await bench.told_by(gamble).commit(Say("I gamble"), "ask")
        body = await bench.told_by("It falls.").commit(AnswerDecision("gamble", "roll"), "roll")
        assert [(draw.version, draw.index, draw.sides, draw.why) for draw in body.draws] == [
            (3, 0, 6, "gamble")
        ]
        assert verify_draws(SECRET, commitment(SECRET), body.draws) == []

    asyncio.run(run())
