"""Branch checks: of several writers on one commit one wins; branches and marks can be moved.

What undo and fork mean for a story is not checked here; to a store they are moved pointers.
"""

import asyncio
from dataclasses import replace

from talewright.chronicle.records import MAIN, QUICK, Commit, PointerKind, Pointing
from talewright.chronicle.store import HeadMovedError, UnknownCommitError
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import (
    CAMPAIGN,
    StoreFactories,
    StoreUnderCheck,
    identify,
    make_attempt,
    make_turn,
    moment,
    open_sample_campaign,
)

SUBMITTERS = 64
"""How many tasks want to continue from the same commit."""

ROUNDS = 3
"""How many commits they continue from, one after the other."""


def _branch(name: str, commit: Commit) -> Pointing:
    return Pointing(PointerKind.BRANCH, name, commit.id, moment(9))


def _mark(name: str, commit: Commit) -> Pointing:
    return Pointing(PointerKind.MARK, name, commit.id, moment(9))


async def check_counting(ground: StoreFactories) -> None:
    """The first commit has the counter 0, each next one more, whatever the caller set."""
    async with open_sample_campaign(ground) as desk:
        expect_equal("at first", (await desk.book.look()).sequence, 0)
        first = await desk.take_turn(desk.root, "first")
        claimed = replace(make_turn(first, "second"), sequence=77)
        second = await desk.book.commit(claimed, make_attempt(claimed))
        expect_equal("counters", [first.sequence, second.sequence], [1, 2])
        expect_equal("written", (await desk.book.read(second.id)).sequence, 2)
        await desk.reopen()
        third = await desk.take_turn(second, "third")
        expect_equal("after reopening", third.sequence, 3)
        outlook = await desk.book.look()
        expect_equal("outlook", (outlook.branch, outlook.head, outlook.sequence), (MAIN, third.id, 3))


async def check_racing(ground: StoreFactories) -> None:
    """Of many tasks that continue from one commit exactly one succeeds; the others learn the new head."""
    async with open_sample_campaign(ground) as desk:
        other = await desk.store.open(CAMPAIGN)
        head = desk.root
        for number in range(ROUNDS):
            turns = [make_turn(head, f"round {number} task {task}") for task in range(SUBMITTERS)]
            books = [desk.book, other]
            outcomes = await asyncio.gather(
                *(books[task % 2].commit(turn, make_attempt(turn)) for task, turn in enumerate(turns)),
                return_exceptions=True,
            )
            winners = [outcome for outcome in outcomes if isinstance(outcome, Commit)]
            losers = [outcome for outcome in outcomes if isinstance(outcome, HeadMovedError)]
            expect_equal("winners and losers", (len(winners), len(losers)), (1, SUBMITTERS - 1))
            head = winners[0]
            expect_equal("head told", {loser.head for loser in losers}, {head.id})
            await _expect_lost(desk, [turn for turn in turns if turn.id != head.id])
        await other.close()
        await desk.reopen()
        line = await desk.book.back(head.id, SUBMITTERS)
        expect_equal("versions", [commit.version for commit in line], list(range(ROUNDS, -1, -1)))
        commits = [record for record in await desk.read_all() if isinstance(record, Commit)]
        expect_equal("commits", commits, list(reversed(line)))


async def _expect_lost(desk: StoreUnderCheck, turns: list[Commit]) -> None:
    """Check that nothing of these turns was written; the losers may record it as they like."""
    for turn in turns:
        trail = await desk.book.find(turn.operation_id)
        expect_equal("attempts of a lost turn", trail.attempts, ())
        expect(trail.commit is None, "a turn that was refused is on its trail")
        await expect_raises(UnknownCommitError, "a turn that was refused", desk.book.read(turn.id))


async def check_undoing(ground: StoreFactories) -> None:
    """After a branch was moved back, a new turn replaces the old one, which stays readable."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        undone = await desk.take_turn(first, "undone")
        await desk.book.point(_branch(MAIN, first), expected=undone.id)
        expect_equal("head", (await desk.book.look(MAIN)).head, first.id)
        late = make_turn(undone, "too late")
        await expect_raises(HeadMovedError, "on the undone one", desk.book.commit(late, make_attempt(late)))
        fresh = await desk.take_turn(first, "fresh")
        expect_equal("versions", fresh.version, undone.version)
        expect_equal("counter", fresh.sequence, undone.sequence + 1)
        await desk.reopen()
        expect_equal("line", await desk.book.back(fresh.id, 9), (fresh, first, desk.root))
        expect_equal("the undone one", await desk.book.read(undone.id), undone)
        expect_equal("its line", (await desk.book.back(undone.id, 2)), (undone, first))
        expect_equal("outlook", dict(await desk.book.branches()), {MAIN: fresh.id})


async def check_forking(ground: StoreFactories) -> None:
    """A new branch can start anywhere, and branches continue independently."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        second = await desk.take_turn(first, "second")
        await desk.book.point(_branch("另一条路", first))
        aside = await desk.take_turn(first, "aside", branch="另一条路")
        third = await desk.take_turn(second, "third")
        for _ in range(2):
            branches = dict(await desk.book.branches())
            expect_equal("branches", branches, {MAIN: third.id, "另一条路": aside.id})
            expect_equal("forked line", await desk.book.back(aside.id, 2), (aside, first))
            expect_equal("main line", await desk.book.back(third.id, 3), (third, second, first))
            await desk.reopen()


async def check_pointing(ground: StoreFactories) -> None:
    """A branch moves only from its expected commit; nothing can point at a commit that does not exist."""
    async with open_sample_campaign(ground) as desk:
        head = await desk.take_turn(desk.root, "first")
        count = len(await desk.read_all())
        for expected in (None, desk.root.id, ""):
            call = desk.book.point(_branch(MAIN, desk.root), expected)
            error = await expect_raises(HeadMovedError, f"expected {expected!r}", call)
            expect_equal("head told", error.head, head.id)
        call = desk.book.point(_branch("new", head), desk.root.id)
        error = await expect_raises(HeadMovedError, "a branch that is not there", call)
        expect_equal("no head told", error.head, "")
        missing = make_turn(head, "never written")
        for pointing in (_branch("new", missing), _mark(QUICK, missing)):
            await expect_raises(UnknownCommitError, "no such commit", desk.book.point(pointing))
        await expect_raises(
            UnknownCommitError, "no such commit", desk.book.point(_branch(MAIN, missing), head.id)
        )
        expect_equal("records", len(await desk.read_all()), count)
        expect_equal("branches", dict(await desk.book.branches()), {MAIN: head.id})


async def check_marking(ground: StoreFactories) -> None:
    """Marks are names of commits: they move freely, and are separate from branches of the same name."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        await desk.book.point(_mark(QUICK, first))
        await desk.book.point(_mark(MAIN, desk.root))
        second = await desk.take_turn(first, "second")
        await desk.book.point(_mark(QUICK, second), expected=identify("nothing"))
        for _ in range(2):
            expect_equal("marks", dict(await desk.book.marks()), {QUICK: second.id, MAIN: desk.root.id})
            expect_equal("branches", dict(await desk.book.branches()), {MAIN: second.id})
            await desk.reopen()
