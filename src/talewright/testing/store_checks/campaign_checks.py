"""Campaign checks: campaigns are listed, removed, and reopened with everything stored besides records.

How a projection is written for people is up to the store.
"""

from dataclasses import replace

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.records import AttemptVerdict, Json, PointerKind, Pointing
from talewright.chronicle.store import (
    CAMPAIGN_NAME_LENGTH_MAX,
    BlobKind,
    ChronicleError,
    UnknownCampaignError,
    UnknownCommitError,
)
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import (
    CAMPAIGN,
    ODD_VALUES,
    SECRET,
    StoreFactories,
    digest,
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
    open_sample_campaign,
)

BAD_NAMES = ("", ".", "..", "../harbor", "a/b", "a\\b", "Harbor", "ha bor", "雾港", "a\n", "\0", "a" * 65)
"""Names that no campaign may have."""


async def check_waiting(ground: StoreFactories) -> None:
    """Inputs wait until they are committed or an attempt closes them; an interrupted one keeps waiting."""
    async with open_sample_campaign(ground) as desk:
        turns = [make_turn(desk.root, f"waits {verdict}") for verdict in AttemptVerdict]
        wishes = [make_input(turn) for turn in turns]
        for wish in wishes:
            await desk.book.accept(wish)
        await desk.reopen()
        expect_equal("oldest first", (await desk.book.look()).waiting, tuple(wishes))
        for turn, verdict in zip(turns, AttemptVerdict, strict=True):
            if verdict is not AttemptVerdict.COMMITTED:
                await desk.book.add(make_attempt(turn, verdict))
        left = tuple(
            wish
            for wish, verdict in zip(wishes, AttemptVerdict, strict=True)
            if verdict in (AttemptVerdict.COMMITTED, AttemptVerdict.INTERRUPTED)
        )
        expect_equal("not closed", (await desk.book.look()).waiting, left)
        await desk.book.commit(turns[0], make_attempt(turns[0]))
        expect_equal("not committed", (await desk.book.look()).waiting, left[1:])
        await desk.reopen()
        expect_equal("after reopening", (await desk.book.look()).waiting, left[1:])


async def check_going_back(ground: StoreFactories) -> None:
    """A commit and its ancestors come newest first, as many as requested and available."""
    async with open_sample_campaign(ground) as desk:
        line = [desk.root]
        for number in range(30):
            line.insert(0, await desk.take_turn(line[0], f"turn {number}"))
        for _ in range(2):
            for count in (0, 1, 2, 29, 31, 1000):
                found = await desk.book.back(line[0].id, count)
                expect_equal(f"{count} of them", found, tuple(line[:count]))
            expect_equal("from within", await desk.book.back(line[20].id, 5), tuple(line[20:25]))
            await desk.reopen()


async def check_unknown(ground: StoreFactories) -> None:
    """What does not exist raises an error with a hint, and asking for it creates nothing."""
    async with open_sample_campaign(ground) as desk:
        for name in ("", "nothing", digest("nothing")):
            error: ChronicleError = await expect_raises(UnknownCommitError, "read", desk.book.read(name))
            expect(bool(error.hint), "an unknown commit comes without a hint")
            await expect_raises(UnknownCommitError, "back", desk.book.back(name, 3))
        error = await expect_raises(UnknownCampaignError, "open", desk.store.open("nothing"))
        expect(bool(error.hint), "an unknown campaign comes without a hint")
        for name in ("nothing", *BAD_NAMES):
            await expect_raises(UnknownCampaignError, f"open {name!r}", desk.store.open(name))
            await expect_raises(UnknownCampaignError, f"listing {name!r}", desk.store.listing(name))
        listed = [listing.campaign for listing in await desk.store.campaigns()]
        expect_equal("campaigns", listed, [CAMPAIGN])


async def check_names(ground: StoreFactories) -> None:
    """Names are unique, and limited to those that every system can store."""
    async with open_sample_campaign(ground) as desk:
        again = make_founding(CAMPAIGN)
        other = replace(again, root=replace(again.root, id="0" * 32), secret=b"another", about={})
        error = await expect_raises(ChronicleError, "a name that is taken", desk.store.found(other))
        expect(bool(error.hint), "a name that is taken is refused without a hint")
        for name in BAD_NAMES:
            await expect_raises(ChronicleError, f"found {name!r}", desk.store.found(make_founding(name)))
        good = ("a" * CAMPAIGN_NAME_LENGTH_MAX, "0", "mist-harbor_2")
        for name in good:
            book = await desk.store.found(make_founding(name))
            expect_equal("name", book.campaign, name)
            await book.close()
        await desk.reopen()
        expect_equal("the first of the name", await desk.read_all(), [desk.root])
        expect_equal("its secret", await desk.book.secret(), SECRET)
        listed = {listing.campaign for listing in await desk.store.campaigns()}
        expect_equal("campaigns", listed, {CAMPAIGN, *good})


async def check_past(ground: StoreFactories) -> None:
    """A campaign founded with a past equals one whose records were written one by one."""
    async with open_sample_campaign(ground) as desk:
        first = await desk.take_turn(desk.root, "first")
        second = await desk.take_turn(first, "second")
        await desk.book.add(make_aside(second, "told"))
        await desk.book.point(Pointing(PointerKind.BRANCH, "other", first.id, moment(9)))
        written, chain = await desk.read_all(), await desk.book.chain()
        games: dict[str, Json] = {digest("older"): {"edition": 1}}
        copy = replace(
            make_founding(CAMPAIGN),
            campaign="copy",
            secret=b"new",
            game={"edition": 2},
            past=tuple(written[1:]),
            games=games,
        )
        book, store = await desk.store.found(copy), desk.store
        for _ in range(2):
            expect_equal("records", [record async for record in book.records()], written)
            expect_equal("chain", await book.chain(), chain)
            expect_equal("branches", dict(await book.branches()), {"main": second.id, "other": first.id})
            expect_equal("status", (await book.look()).branch, "other")
            expect_equal("secret", await book.secret(), b"new")
            expect_equal("older game", await book.kept(BlobKind.GAME, digest("older")), {"edition": 1})
            expect_equal("game", await book.kept(BlobKind.GAME, digest("game")), {"edition": 2})
            await book.close()
            store = store if ground.reopen is None else await ground.reopen()
            book = await store.open("copy")
        turn = make_turn(second, "third")
        expect_equal("counter", (await book.commit(turn, make_attempt(turn))).sequence, 3)
        expect_equal("the first campaign", await desk.read_all(), written)
        await book.close()


async def check_listing(ground: StoreFactories) -> None:
    """Campaigns are listed with their details, and can be sorted by when they were last written."""
    store = await ground.make()
    expect_equal("an empty place", await store.campaigns(), ())
    foundings = [make_founding(name, seconds=number) for number, name in enumerate(("b", "c", "a"))]
    books = [await store.found(founding) for founding in foundings]
    by_founding = [listing.campaign for listing in await read_campaigns(store)]
    expect_equal("by founding", by_founding, ["a", "c", "b"])
    turn = replace(make_turn(foundings[1].root, "later"), at=moment(60))
    await books[1].commit(turn, replace(make_attempt(turn), at=moment(60)))
    for book in books:
        await book.close()
    for _ in range(2):
        listings = await read_campaigns(store)
        expect_equal("by last write", [listing.campaign for listing in listings], ["c", "a", "b"])
        for listing in listings:
            expect_equal("one by its name", await store.listing(listing.campaign), listing)
        expect_equal("about", [dict(listing.about) for listing in listings], [dict(foundings[0].about)] * 3)
        expect(all(listing.at and not listing.damaged for listing in listings), "a listing lacks its time")
        if ground.reopen is not None:
            store = await ground.reopen()


async def check_removing(ground: StoreFactories) -> None:
    """A removed campaign is not listed and cannot be opened; its name is free, and the others stay."""
    async with open_sample_campaign(ground) as desk:
        await (await desk.store.found(make_founding("elsewhere"))).close()
        turn = make_turn(desk.root, "too late")
        places = [await desk.store.remove(CAMPAIGN, moment(60))]
        await expect_raises(ChronicleError, "a look at a removed campaign", desk.book.look())
        await expect_raises(ChronicleError, "a late input", desk.book.accept(make_input(turn)))
        await expect_raises(ChronicleError, "a late turn", desk.book.commit(turn, make_attempt(turn)))
        if desk.book.pages is not None:
            await desk.book.pages.project(PageProjection(desk.root.id, "too late", {"state.json": "{}"}))
        await desk.book.close()
        store = desk.store if ground.reopen is None else await ground.reopen()
        for _ in range(2):
            await expect_raises(UnknownCampaignError, "open", store.open(CAMPAIGN))
            await expect_raises(UnknownCampaignError, "listing", store.listing(CAMPAIGN))
            listed = [listing.campaign for listing in await store.campaigns()]
            expect_equal("campaigns", listed, ["elsewhere"])
            book = await store.found(make_founding(CAMPAIGN))
            expect_equal("the name is free", (await book.look()).sequence, 0)
            await book.close()
            places.append(await store.remove(CAMPAIGN, moment(60)))
        expect(all(places) and len(set(places)) == 3, "two removed campaigns lie in one place")
        for name in ("nothing", CAMPAIGN, *BAD_NAMES):
            error = await expect_raises(
                UnknownCampaignError, f"remove {name!r}", store.remove(name, moment(61))
            )
            expect(bool(error.hint), "an unknown campaign comes without a hint")


async def check_two_books(ground: StoreFactories) -> None:
    """What is written through one book is visible through another; campaigns stay separate."""
    async with open_sample_campaign(ground) as desk:
        other = await desk.store.open(CAMPAIGN)
        away = await desk.store.found(make_founding("elsewhere"))
        before = await other.look()
        turn = await desk.take_turn(desk.root, "seen")
        expect_equal("head", dict(await other.branches()), {"main": turn.id})
        expect_equal("an earlier look", before.head, desk.root.id)
        expect_equal("read", await other.read(turn.id), turn)
        expect_equal("trail", (await other.find(turn.operation_id)).commit, turn)
        following = make_turn(turn, "through the other")
        answer = await other.commit(following, make_attempt(following))
        expect_equal("counter", answer.sequence, 2)
        expect_equal("and back", (await desk.book.back(following.id, 2)), (answer, turn))
        expect_equal("elsewhere", (await away.find(turn.operation_id)).commit, None)
        await expect_raises(UnknownCommitError, "a commit of another campaign", away.read(turn.id))
        await other.close()
        await away.close()


async def check_shelves(ground: StoreFactories) -> None:
    """What is stored under a name is found by that name and kind, and nowhere else."""
    async with open_sample_campaign(ground) as desk:
        name = digest("game")
        await desk.book.keep(BlobKind.GAME, name, ODD_VALUES)
        await desk.book.keep(BlobKind.GAME, name, ODD_VALUES)
        await desk.book.keep(BlobKind.SNAPSHOT, desk.root.id, {"large": ["雾港"] * 10_000})
        other = await desk.store.found(make_founding("elsewhere"))
        for _ in range(2):
            expect_equal("game", repr(await desk.book.kept(BlobKind.GAME, name)), repr(ODD_VALUES))
            snapshot = await desk.book.kept(BlobKind.SNAPSHOT, desk.root.id)
            expect_equal("snapshot", snapshot, {"large": ["雾港"] * 10_000})
            expect_equal("other shelf", await desk.book.kept(BlobKind.SNAPSHOT, name), None)
            expect_equal("other name", await desk.book.kept(BlobKind.GAME, digest("other")), None)
            await desk.reopen()
        expect_equal("other campaign", await other.kept(BlobKind.SNAPSHOT, desk.root.id), None)
        await other.close()
        expect_equal("records", await desk.read_all(), [desk.root])


async def check_secret(ground: StoreFactories) -> None:
    """The secret is returned, and appears in no record and no list."""
    async with open_sample_campaign(ground) as desk:
        await desk.take_turn(desk.root, "first")
        for _ in range(2):
            expect_equal("secret", await desk.book.secret(), SECRET)
            shown = repr((await desk.read_all(), await desk.store.campaigns(), await desk.book.look()))
            expect(repr(SECRET)[2:-1] not in shown and SECRET.hex() not in shown, "the secret is shown")
            await desk.reopen()


async def check_projecting(ground: StoreFactories) -> None:
    """Projections of any pages are accepted without an error and do not change the records."""
    async with open_sample_campaign(ground) as desk:
        pages_of = desk.book.pages
        if pages_of is None:
            return
        turn = await desk.take_turn(desk.root, "first")
        written = await desk.read_all()
        pages = {"state.json": "{}\n", "logs/第一天.md": "# 第一天 🌫\n", "world/a/b.md": ""}
        await pages_of.project(PageProjection(desk.root.id, "Begin", pages))
        await pages_of.project(
            PageProjection(turn.id, "进港\nand more", {"state.json": "{}"}, ("world/a/b.md",))
        )
        await pages_of.project(PageProjection(turn.id, "", {}, ("never/there.md",)))
        await desk.reopen()
        expect_equal("records", await desk.read_all(), written)


async def check_editing(ground: StoreFactories) -> None:
    """Pages untouched since they were written are no edits; asking for edits changes nothing."""
    async with open_sample_campaign(ground) as desk:
        pages_of = desk.book.pages
        if pages_of is None:
            return
        turn = await desk.take_turn(desk.root, "first")
        written = await desk.read_all()
        asked = frozenset(
            {"prompt.md", "world/a.md", "never.md", "", "..", "../x.md", "a/../b", "a\0b", "\ud800"}
        )
        expect_equal("before any page", dict(await pages_of.edits(asked)), {})
        editable = frozenset({"prompt.md", "world/a.md"})
        for text in ("Be kind.\n", "另一个版本 🌫\r\n", ""):
            pages = {"prompt.md": text, "world/a.md": "a", "state.json": "{}"}
            await pages_of.project(PageProjection(turn.id, "Turn", pages, editable=editable))
            expect_equal("as it was written", dict(await pages_of.edits(asked)), {})
            expect_equal("of none", dict(await pages_of.edits(frozenset())), {})
        await desk.reopen()
        pages_of = desk.book.pages
        expect(pages_of is not None, "a store that had pages has none after reopening")
        assert pages_of is not None
        expect_equal("after reopening", dict(await pages_of.edits(asked)), {})
        expect_equal("notices", (await desk.book.look()).notices, ())
        expect_equal("records", await desk.read_all(), written)


async def check_closing(ground: StoreFactories) -> None:
    """A book can be closed twice, and what was acknowledged is stored without closing too."""
    async with open_sample_campaign(ground) as desk:
        turn = await desk.take_turn(desk.root, "first")
        store = desk.store if ground.reopen is None else await ground.reopen()
        other = await store.open(CAMPAIGN)
        expect_equal("without closing", await other.read(turn.id), turn)
        await other.close()
        await other.close()
        await desk.book.close()
        await desk.reopen()
        expect_equal("after closing", await desk.book.read(turn.id), turn)
