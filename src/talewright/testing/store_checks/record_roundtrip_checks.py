"""Record round-trip checks: all records are read as they were written, and in order.

Heads and pointers are checked in `branch_checks`.
"""

from dataclasses import replace

from talewright.chronicle.records import (
    QUICK,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import (
    CAMPAIGN,
    ODD_VALUES,
    StoreFactories,
    StoreUnderCheck,
    make_aside,
    make_attempt,
    make_input,
    make_turn,
    moment,
    open_sample_campaign,
)

LARGE_BODY_CHARACTERS = 350_000
"""Three-byte characters that make a body of more than a megabyte."""


async def check_round_trip(ground: StoreFactories) -> None:
    """Every kind of record is read as it was written, whatever JSON it holds."""
    async with open_sample_campaign(ground) as desk:
        turn, written = await _write_every_kind(desk)
        expect_equal("records", await desk.read_all(), written)
        expect_equal("read", await desk.book.read(turn.id), turn)
        await desk.reopen()
        expect_equal("campaign after reopening", desk.book.campaign, CAMPAIGN)
        expect_equal("records after reopening", await desk.read_all(), written)
        expect_equal("read after reopening", await desk.book.read(turn.id), turn)
        expect_equal("types", repr(await desk.read_all()), repr(written))


async def _write_every_kind(desk: StoreUnderCheck) -> tuple[Commit, list[Record]]:
    """Write one record of each kind with odd values; return the turn, and the records to expect."""
    turn = make_turn(desk.root, "odd", body={"odd": ODD_VALUES})
    wish = replace(make_input(turn), input=ODD_VALUES)
    attempt = replace(make_attempt(turn), body={"odd": ODD_VALUES})
    aside = replace(make_aside(turn, "odd"), body={"odd": ODD_VALUES})
    mark = Pointing(PointerKind.MARK, "存档 “一” 🕯️", turn.id, moment(2))
    expect_equal("accept", (await desk.book.accept(wish)).accepted, wish)
    committed = await desk.book.commit(turn, attempt)
    expect_equal("commit", committed, replace(turn, sequence=1))
    await desk.book.add(aside)
    await desk.book.point(mark)
    return committed, [desk.root, wish, committed, attempt, aside, mark]


async def check_large_body(ground: StoreFactories) -> None:
    """A body of more than a megabyte is stored like any other."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "large", body={"narration": "雾" * LARGE_BODY_CHARACTERS})
        committed = await desk.book.commit(turn, make_attempt(turn))
        following = await desk.take_turn(committed, "after it")
        await desk.reopen()
        expect_equal("the large one", await desk.book.read(turn.id), committed)
        expect_equal("the one after it", (await desk.book.back(following.id, 1))[0], following)


async def check_order(ground: StoreFactories) -> None:
    """Records are read in the order they were written, a commit directly before its attempt.

    The commit comes first: a crash between the two must not leave an input marked as committed that is not.
    """
    async with open_sample_campaign(ground) as desk:
        head: Commit = desk.root
        written: list[Record] = [head]
        for number in range(20):
            head = await desk.take_turn(head, f"turn {number}")
            aside = make_aside(head, f"aside {number}")
            await desk.book.add(aside)
            written += [make_input(head), head, make_attempt(head), aside]
        expect_equal("order", await desk.read_all(), written)


async def check_unfit(ground: StoreFactories) -> None:
    """What JSON in UTF-8 cannot hold is rejected with ValueError, and nothing of it is written."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "unfit")
        attempt = make_attempt(turn)
        for value in ("\ud800", float("nan"), float("inf")):
            odd = {"value": value}
            await expect_raises(
                ValueError, "accept", desk.book.accept(replace(make_input(turn), input=value))
            )
            await expect_raises(ValueError, "commit", desk.book.commit(replace(turn, body=odd), attempt))
            await expect_raises(ValueError, "attempt", desk.book.commit(turn, replace(attempt, body=odd)))
            await expect_raises(ValueError, "add", desk.book.add(replace(attempt, body=odd)))
        expect_equal("records", await desk.read_all(), [desk.root])
        await desk.book.commit(turn, attempt)
        await desk.reopen()
        expect_equal("records after a good one", len(await desk.read_all()), 3)


async def check_attempts(ground: StoreFactories) -> None:
    """Every attempt at an operation is on its trail, in order; an unknown operation has an empty trail."""
    async with open_sample_campaign(ground) as desk:
        turn = make_turn(desk.root, "tried")
        tries = [make_attempt(turn, verdict, nth=nth) for nth, verdict in enumerate(AttemptVerdict)]
        for attempt in tries:
            await desk.book.add(attempt)
        for _ in range(2):
            trail = await desk.book.find(turn.operation_id)
            expect_equal("attempts", trail.attempts, tuple(tries))
            expect(trail.accepted is None and trail.commit is None, "a trail holds what was not written")
            empty = await desk.book.find("nobody")
            expect_equal("unknown", (empty.accepted, empty.commit, empty.attempts), (None, None, ()))
            await desk.reopen()


async def check_asides(ground: StoreFactories) -> None:
    """Asides are found by the commits they were made for, oldest first, and move no head."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        second = await desk.take_turn(first, "second")
        made = [make_aside(commit, str(n)) for n, commit in enumerate((second, first, second, desk.root))]
        for aside in made:
            await desk.book.add(aside)
        for _ in range(2):
            both = await desk.book.asides(frozenset({first.id, second.id}))
            expect_equal("of two commits", both, tuple(made[:3]))
            expect_equal("of one", await desk.book.asides(frozenset({desk.root.id})), (made[3],))
            expect_equal("of none", await desk.book.asides(frozenset({QUICK})), ())
            expect_equal("branches", dict(await desk.book.branches()), {"main": second.id})
            await desk.reopen()
