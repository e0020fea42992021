"""Acceptance checks: one call accepts an input and returns everything a turn must know; repeats write once.

How the turn uses it is not checked here.
"""

import asyncio
from dataclasses import replace

from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import MAIN, AttemptVerdict, Commit, Json
from talewright.chronicle.spending_totals import ModelSpending, SpendingTotals
from talewright.chronicle.store import Acceptance, ChronicleError, HeadMovedError, UnknownCommitError
from talewright.testing.expectations import expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import (
    StoreFactories,
    identify,
    make_aside,
    make_attempt,
    make_input,
    make_turn,
    moment,
    open_sample_campaign,
    with_operation,
)

SPENT: Json = {"model": "quill", "input_tokens": 30, "output_tokens": 7, "cached_tokens": 20, "dollars": 0.25}
UNPRICED: Json = {
    "model": "reed",
    "input_tokens": 3,
    "output_tokens": 2,
    "cached_tokens": 0,
    "estimated": True,
}


REPEATS = 10
"""How often the same operation arrives."""


async def check_repeated_commit(ground: StoreFactories) -> None:
    """One operation has one commit, however often and with whatever content it is submitted."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "once")
        others = [with_operation(make_turn(desk.root, f"again {number}"), turn) for number in range(REPEATS)]
        answers = await asyncio.gather(
            *(desk.book.commit(one, make_attempt(one)) for one in (turn, turn, *others))
        )
        first = answers[0]
        following = await desk.take_turn(first, "following")
        await desk.reopen()
        answers += [await desk.book.commit(one, make_attempt(one)) for one in (turn, *others)]
        expect_equal("answers", answers, [first] * len(answers))
        commits = [record for record in await desk.read_all() if isinstance(record, Commit)]
        expect_equal("commits", commits, [desk.root, first, following])
        expect_equal("trail", (await desk.book.find(turn.operation_id)).commit, first)


async def check_repeated_input(ground: StoreFactories) -> None:
    """The first input of an operation is stored and returned, even when the head has moved on."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "once")
        wish = make_input(turn)
        answers = await asyncio.gather(*(desk.book.accept(wish) for _ in range(REPEATS)))
        other = replace(wish, input="something else", at=moment(30), base=identify("elsewhere"))
        answers.append(await desk.book.accept(other))
        await desk.book.commit(turn, make_attempt(turn))
        await desk.reopen()
        answers += [await desk.book.accept(wish), await desk.book.accept(other)]
        expect_equal("answers", [answer.accepted for answer in answers], [wish] * len(answers))
        expect_equal("records", len(await desk.read_all()), 4)
        expect_equal("trail", (await desk.book.find(turn.operation_id)).accepted, wish)


async def check_late_input(ground: StoreFactories) -> None:
    """A new input for a commit that is no longer the head is rejected and not written."""
    async with open_sample_campaign(ground) as desk:
        head = await desk.take_turn(desk.root, "first")
        late = make_input(make_turn(desk.root, "late"))
        error = await expect_raises(HeadMovedError, "a late input", desk.book.accept(late))
        expect_equal("head told", error.head, head.id)
        nowhere = make_input(make_turn(head, "nowhere", branch="nowhere"))
        await expect_raises(UnknownCommitError, "no such branch", desk.book.accept(nowhere))
        astray = make_turn(head, "astray", branch="nowhere")
        await expect_raises(
            UnknownCommitError, "no such branch", desk.book.commit(astray, make_attempt(astray))
        )
        expect_equal("records", len(await desk.read_all()), 4)
        expect_equal("waiting", (await desk.book.look()).waiting, ())


async def check_acceptance(ground: StoreFactories) -> None:
    """Accepting an input returns its record, its commit and attempts, and the head of its branch."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "accepted")
        wish = make_input(turn)
        nothing = SpendingTotals()
        fresh = Acceptance(wish, None, 0, desk.root.id, 0, nothing)
        expect_equal("a new one", await desk.book.accept(wish), fresh)
        expect_equal("again", await desk.book.accept(replace(wish, input="other", at=moment(30))), fresh)
        await desk.book.add(replace(make_attempt(turn, AttemptVerdict.DEGRADED), body={}))
        expect_equal("after a try", await desk.book.accept(wish), replace(fresh, attempts=1))
        committed = await desk.book.commit(turn, replace(make_attempt(turn, nth=2), body={}))
        following = await desk.take_turn(committed, "following")
        await desk.reopen()
        answer = await desk.book.accept(replace(wish, base=identify("elsewhere")))
        expect_equal("what it came to", (answer.accepted, answer.commit), (wish, committed))
        expect_equal("where it stands", (answer.attempts, answer.head), (2, following.id))
        expect_equal("the newest", answer.sequence, 2)
        # The commit of an operation without an input, such as the first one.
        answer = await desk.book.accept(replace(wish, operation_id=desk.root.operation_id))
        expect_equal("the first commit", (answer.commit, answer.head), (desk.root, following.id))
        expect_equal("records", len(await desk.read_all()), 8)


async def check_base_filled_in(ground: StoreFactories) -> None:
    """An input without a base is recorded with the current head as its base."""
    async with open_sample_campaign(ground) as desk:
        head = await desk.take_turn(desk.root, "first")
        wish = make_input(make_turn(head, "wherever"))
        answer = await desk.book.accept(replace(wish, base=""))
        expect_equal("filled in", answer.accepted, wish)
        expect_equal("written", (await desk.read_all())[-1], wish)
        await desk.reopen()
        expect_equal("found", (await desk.book.find(wish.operation_id)).accepted, wish)
        late = replace(wish, operation_id=identify("late"), base=desk.root.id)
        error = await expect_raises(HeadMovedError, "a late input", desk.book.accept(late))
        expect_equal("head told", error.head, head.id)


async def check_replacing(ground: StoreFactories) -> None:
    """A turn replaces the head in one step; until then, and without it, the head stays."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        second = await desk.take_turn(first, "second")
        again = replace(make_turn(first, "again"), replaces=second.id)
        wish = replace(make_input(again), replaces=second.id)
        answer = await desk.book.accept(replace(wish, base=""))
        expect_equal("accepted", (answer.accepted, answer.head), (wish, second.id))
        await desk.reopen()
        expect_equal("still there", (await desk.book.accept(wish)).head, second.id)
        taken = await desk.book.commit(again, make_attempt(again))
        expect_equal("committed", taken, replace(again, sequence=3))
        expect_equal("moved", (await desk.book.accept(wish)).head, taken.id)
        await desk.reopen()
        expect_equal("read", await desk.book.back(taken.id, 2), (taken, first))
        expect_equal("the old one", await desk.book.read(second.id), second)
        late = replace(make_turn(first, "late"), replaces=second.id)
        error = await expect_raises(
            HeadMovedError, "a late input", desk.book.accept(replace(make_input(late), replaces=second.id))
        )
        expect_equal("head told", error.head, taken.id)
        await expect_raises(HeadMovedError, "a late turn", desk.book.commit(late, make_attempt(late)))
        astray = replace(make_input(make_turn(desk.root, "astray")), replaces=taken.id)
        await expect_raises(ChronicleError, "from elsewhere", desk.book.accept(astray))
        expect_equal("violations", inspect_records(await desk.read_all()), ())


async def check_spending(ground: StoreFactories) -> None:
    """Costs of attempts and asides are summed by model, in every process and after reopening."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "dear")
        await desk.book.add(replace(make_attempt(turn, AttemptVerdict.DEGRADED), body={"spent": [SPENT]}))
        attempt = replace(make_attempt(turn, nth=2), body={"spent": [SPENT, UNPRICED], "usage": SPENT})
        committed = await desk.book.commit(turn, attempt)
        usage = {"input_tokens": 5, "output_tokens": 1, "cached_tokens": 0}
        await desk.book.add(replace(make_aside(committed, "odd"), body={"usage": usage}))
        odds: tuple[dict[str, Json], ...] = (
            {"spent": "much"},
            {"usage": 3},
            {"spent": [4]},
            {"spent": []},
            {},
        )
        for number, odd in enumerate(odds):
            await desk.book.add(replace(make_aside(committed, f"odd {number}"), body=odd))
        quill = ModelSpending(60, 14, 40, 0.5)
        reed = ModelSpending(3, 2, 0, 0.0, unpriced=True, estimated=True)
        totals = SpendingTotals(
            {"quill": quill, "reed": reed, "": ModelSpending(5, 1, 0, 0.0, unpriced=True)}
        )
        for name in ("one", "two"):
            wish = replace(make_input(make_turn(committed, name)), base="", branch=MAIN)
            expect_equal("totals", (await desk.book.accept(wish)).spent, totals)
            await desk.reopen()
        expect_equal("together", totals.whole, ModelSpending(68, 17, 40, 0.5, unpriced=True, estimated=True))
