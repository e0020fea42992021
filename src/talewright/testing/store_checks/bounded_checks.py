"""Bounded checks: answers of a store do not grow with the campaign; the rest is read page by page.

The chain and open turns are checked here too: any process that resumes a campaign relies on them.
"""

from dataclasses import replace

from talewright.chronicle.chained_lines import GENESIS, ChainEnd, bind
from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import MAIN, AttemptVerdict, PointerKind, Pointing, Record
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.store import (
    WAITING_MAX,
    CampaignStatus,
    OpenTurnMovedError,
    UnknownCommitError,
)
from talewright.testing.expectations import expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import (
    ODD_VALUES,
    StoreFactories,
    identify,
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
    open_sample_campaign,
)

CANCELLED = 40
"""How many inputs are cancelled one after the other."""


async def check_status(ground: StoreFactories) -> None:
    """The status of a branch has its head, its waiting inputs and its newest attempt."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        await desk.book.point(Pointing(PointerKind.BRANCH, "else", desk.root.id, moment(9)))
        here, there = (
            make_input(make_turn(first, "here")),
            make_input(make_turn(desk.root, "there", branch="else")),
        )
        await desk.book.accept(here)
        await desk.book.accept(there)
        failed = make_attempt(make_turn(first, "here"), AttemptVerdict.INTERRUPTED)
        await desk.book.add(replace(failed, body={}))
        main = CampaignStatus(MAIN, first.id, 1, (here,), replace(failed, body={}))
        for _ in range(2):
            status = replace(await desk.book.look(MAIN), spent=main.spent, campaign_id=main.campaign_id)
            expect_equal("a branch", status, main)
            other = await desk.book.look()
            expect_equal("moved last", (other.branch, other.head), ("else", desk.root.id))
            expect_equal("its inputs", (other.waiting, other.newest_attempt), ((there,), None))
            await desk.reopen()
        second = await desk.take_turn(first, "second")
        status = await desk.book.look()
        expect_equal("after a commit", (status.branch, status.head), (MAIN, second.id))
        expect_equal("no try since", status.newest_attempt, None)
        expect_equal("still waiting", status.waiting, (here,))
        await desk.book.add(make_attempt(make_turn(second, "told"), AttemptVerdict.DEGRADED))
        await desk.book.point(Pointing(PointerKind.BRANCH, MAIN, first.id, moment(9)), second.id)
        expect_equal("after a pointing", (await desk.book.look()).newest_attempt, None)
        await expect_raises(UnknownCommitError, "no such branch", desk.book.look("nowhere"))


async def check_many_waiting(ground: StoreFactories) -> None:
    """Of many waiting inputs, the newest are returned; cancelled ones no longer wait."""
    async with open_sample_campaign(ground) as desk:
        for number in range(CANCELLED):
            turn = make_turn(desk.root, f"cancelled {number}")
            await desk.book.accept(make_input(turn))
            await desk.book.add(make_attempt(turn, AttemptVerdict.CANCELLED))
        expect_equal("cancelled", (await desk.book.look()).waiting, ())
        wishes = [make_input(make_turn(desk.root, f"waits {number}")) for number in range(WAITING_MAX + 3)]
        for wish in wishes:
            await desk.book.accept(wish)
        for _ in range(2):
            expect_equal("the newest", (await desk.book.look()).waiting, tuple(wishes[-WAITING_MAX:]))
            await desk.reopen()
        last = make_turn(desk.root, f"waits {WAITING_MAX + 2}")
        await desk.book.add(make_attempt(last, AttemptVerdict.UNSPENT))
        expect_equal("one less", (await desk.book.look()).waiting, tuple(wishes[-WAITING_MAX - 1 : -1]))


async def check_names_in_pages(ground: StoreFactories) -> None:
    """Branches and marks come in pages, sorted by name."""
    async with open_sample_campaign(ground) as desk:
        names = sorted(["b", "a", "雾港", "c 1", "Ä"])
        for name in reversed(names):
            await desk.book.point(Pointing(PointerKind.BRANCH, name, desk.root.id, moment(9)))
            await desk.book.point(Pointing(PointerKind.MARK, name, desk.root.id, moment(9)))
        everything = sorted([*names, MAIN])
        for _ in range(2):
            expect_equal("branches", list(await desk.book.branches()), everything)
            expect_equal("marks", list(await desk.book.marks()), names)
            expect_equal("a page", list(await desk.book.branches(limit=2)), everything[:2])
            expect_equal("the next", list(await desk.book.branches(everything[1], 2)), everything[2:4])
            expect_equal("after a name that is none", list(await desk.book.marks("bb", 1)), ["c 1"])
            expect_equal("the end", dict(await desk.book.marks(names[-1])), {})
            expect_equal("commits", set((await desk.book.marks()).values()), {desk.root.id})
            await desk.reopen()


async def check_records_after(ground: StoreFactories) -> None:
    """Records can be read from any commit on, as many as requested."""
    async with open_sample_campaign(ground) as desk:
        head = desk.root
        for number in range(40):
            head = await desk.take_turn(head, f"turn {number}")
            if number % 7 == 0:
                await desk.book.add(make_aside(head, f"aside {number}"))
        for _ in range(2):
            everything = await desk.read_all()
            for after in (-1, 0, 1, 15, 16, 17, 39, 40):
                begin = next(
                    (at + 1 for at, one in enumerate(everything) if getattr(one, "sequence", -2) == after), 0
                )
                for limit in (None, 0, 1, 5):
                    found = [one async for one in desk.book.records(after, limit)]
                    expect_equal(f"after {after}, {limit}", found, everything[begin:][:limit])
            expect_equal("after what is not there", [one async for one in desk.book.records(41)], [])
            await desk.reopen()


async def check_adding_twice(ground: StoreFactories) -> None:
    """Adding an attempt or aside twice writes it once."""
    async with open_sample_campaign(ground) as desk:
        turn = await desk.take_turn(desk.root, "first")
        attempt = make_attempt(make_turn(turn, "failed"), AttemptVerdict.FAILED)
        aside = make_aside(turn, "once")
        for _ in range(2):
            for record in (attempt, aside, attempt, aside):
                await desk.book.add(record)
            expect_equal("records", (await desk.read_all())[4:], [attempt, aside])
            await desk.reopen()
        other = make_aside(turn, "another")
        await desk.book.add(other)
        expect_equal("another id", await desk.book.asides(frozenset({turn.id})), (aside, other))


async def check_chain(ground: StoreFactories) -> None:
    """The chain covers the bytes of all records in order, identically in every store."""
    async with open_sample_campaign(ground) as desk:
        turn = await desk.take_turn(desk.root, "first")
        await desk.book.add(replace(make_aside(turn, "odd"), body={"odd": ODD_VALUES}))
        await desk.book.point(Pointing(PointerKind.MARK, "雾港", turn.id, moment(9)))
        for _ in range(2):
            records = await desk.read_all()
            expect_equal("chain", await desk.book.chain(), bind_all(records))
            for length in range(len(records) + 2):
                expect_equal("chain of some", await desk.book.chain(length), bind_all(records[:length]))
            await desk.reopen()
        following = await desk.take_turn(turn, "following")
        expect_equal("goes on", await desk.book.chain(), bind_all(await desk.read_all()))
        expect_equal("length", (await desk.book.chain()).length, 9)
        expect_equal("the last one", (await desk.book.look()).head, following.id)


def bind_all(records: list[Record]) -> ChainEnd:
    """Compute the chain of records."""
    chain = GENESIS
    for record in records:
        chain = bind(chain, SaveFormat().write(record))
    return ChainEnd(len(records), chain.hex())


async def check_open_turns(ground: StoreFactories) -> None:
    """An open turn is stored by compare-and-set, outlives the process, and is in no record."""
    async with open_sample_campaign(ground) as desk:
        expect_equal("none", await desk.book.open_turn(MAIN), None)
        turn = OpenTurn(MAIN, identify("outside"), "master", moment(60), body={"odd": ODD_VALUES})
        first = await desk.book.write_open_turn(turn, 0)
        expect_equal("kept", first, replace(turn, revision=first.revision))
        await desk.reopen()
        expect_equal("found", await desk.book.open_turn(MAIN), first)
        expect_equal("elsewhere", await desk.book.open_turn("else"), None)
        whole = await desk.book.write_open_turn(replace(turn, branch=""), 0)
        expect_equal("of no branch", await desk.book.open_turn(""), whole)
        await desk.book.drop_open_turn("", whole.revision)
        answer = await desk.book.accept(make_input(desk.root))
        expect_equal("told with an input", answer.open_turn, first)
        second = await desk.book.write_open_turn(replace(first, until=moment(90), body={}), first.revision)
        for expected in (0, first.revision, second.revision + 1):
            writing = desk.book.write_open_turn(turn, expected)
            error = await expect_raises(OpenTurnMovedError, "a late write", writing)
            expect_equal("what is there", error.turn, second)
        error = await expect_raises(
            OpenTurnMovedError, "a late drop", desk.book.drop_open_turn(MAIN, first.revision)
        )
        expect_equal("still there", (error.turn, await desk.book.open_turn(MAIN)), (second, second))
        await desk.book.drop_open_turn(MAIN, second.revision)
        await desk.book.drop_open_turn(MAIN, 0)
        await desk.reopen()
        expect_equal("dropped", await desk.book.open_turn(MAIN), None)
        third = await desk.book.write_open_turn(turn, 0)
        # A holder of a revision of the dropped turn must not mistake this one for it.
        expect_equal("a new number", third.revision > second.revision > first.revision > 0, True)
        expect_equal("records", await desk.read_all(), [desk.root])


async def check_campaigns_in_pages(ground: StoreFactories) -> None:
    """Campaigns come in pages, in the order of their names, of one owner or of all."""
    store = await ground.make()
    for number in range(7):
        founding = make_founding(f"c{number}", seconds=number)
        await (await store.found(replace(founding, owner=("ann", "bob", "")[number % 3]))).close()
    for _ in range(2):
        everything = [listing.campaign for listing in await store.campaigns()]
        expect_equal("all", everything, [f"c{number}" for number in range(7)])
        first = await store.campaigns(limit=3)
        expect_equal("a page", [one.campaign for one in first], everything[:3])
        expect_equal("owners", [one.owner for one in first], ["ann", "bob", ""])
        following = await store.campaigns(after=first[-1].campaign, limit=3)
        expect_equal("the next", [one.campaign for one in following], everything[3:6])
        owned = await store.campaigns("ann")
        expect_equal("of one owner", [one.campaign for one in owned], ["c0", "c3", "c6"])
        rest = await store.campaigns("ann", "c0", 1)
        expect_equal("a page of theirs", [one.campaign for one in rest], ["c3"])
        expect_equal("of nobody", await store.campaigns("eve"), ())
        expect_equal("behind the last", await store.campaigns(after="c6"), ())
        behind = [one.campaign for one in await store.campaigns(after="c4-gone")]
        expect_equal("behind one that is gone", behind, ["c5", "c6"])
        if ground.reopen is not None:
            store = await ground.reopen()
    # A campaign that is played between two pages is neither missed nor listed twice.
    for last in ("c0", "c6"):
        book = await store.open(last)
        turn = make_turn((await book.back((await book.look()).head, 1))[0], f"between {last}")
        await book.commit(turn, make_attempt(turn))
        await book.close()
        paged = [
            one.campaign for one in (*await store.campaigns(limit=4), *await store.campaigns(after="c3"))
        ]
        expect_equal("pages of played campaigns", paged, [f"c{number}" for number in range(7)])
