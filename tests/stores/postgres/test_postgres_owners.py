"""Owners: whoever asks for a campaign of somebody else finds nothing, by its name and by its id."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import MAIN, AttemptVerdict, PointerKind, Pointing
from talewright.chronicle.store import (
    BlobKind,
    CampaignBook,
    ChronicleError,
    Store,
    UnknownCampaignError,
    UnknownCommitError,
)
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.testing.store_checks.store_fixtures import (
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import KEYS, FreshStores, run_with

ROOT = make_founding("harbor").root
TURN = make_turn(ROOT, "stolen")
NEXT = make_turn(TURN, "next")

Call = Callable[[CampaignBook], Awaitable[Any]]


async def gather(records: AsyncIterator[Any]) -> list[Any]:
    return [record async for record in records]


BOOK_CALLS: dict[str, Call] = {
    "look": lambda book: book.look(),
    "accept": lambda book: book.accept(make_input(NEXT)),
    "commit": lambda book: book.commit(NEXT, make_attempt(NEXT)),
    "add": lambda book: book.add(make_attempt(NEXT, AttemptVerdict.FAILED)),
    "point": lambda book: book.point(Pointing(PointerKind.BRANCH, "mine", TURN.id, moment(1))),
    "read": lambda book: book.read(TURN.id),
    "back": lambda book: book.back(TURN.id, 3),
    "find": lambda book: book.find(TURN.operation_id),
    "asides": lambda book: book.asides(frozenset({TURN.id})),
    "records": lambda book: gather(book.records()),
    "chain": lambda book: book.chain(),
    "branches": lambda book: book.branches(),
    "marks": lambda book: book.marks(),
    "keep": lambda book: book.keep(BlobKind.SNAPSHOT, TURN.id, {"mine": 1}),
    "kept": lambda book: book.kept(BlobKind.GAME, ROOT.game_digest),
    "secret": lambda book: book.secret(),
    "open_turn": lambda book: book.open_turn(MAIN),
    "write_open_turn": lambda book: book.write_open_turn(OpenTurn(MAIN, "o", "eve", moment(9)), 0),
    "drop_open_turn": lambda book: book.drop_open_turn(MAIN, 1),
    "close": lambda book: book.close(),
}
"""Every method of the port."""

STORE_CALLS: dict[str, Callable[[Store], Awaitable[Any]]] = {
    "open": lambda store: store.open("harbor"),
    "listing": lambda store: store.listing("harbor"),
    "campaigns": lambda store: store.campaigns("ann"),
    "remove": lambda store: store.remove("harbor", moment(9)),
    "found": lambda store: store.found(replace(make_founding("new"), owner="ann")),
}


def methods_of(port: type) -> set[str]:
    """The methods that a port promises."""
    return {name for name, _ in inspect.getmembers(port, inspect.isfunction) if not name.startswith("_")}


def test_every_method_is_walked() -> None:
    assert set(BOOK_CALLS) == methods_of(CampaignBook)
    assert set(STORE_CALLS) == methods_of(Store)


async def steal(call: Awaitable[Any]) -> Any:
    """What a call returns; None if it says that nothing is there."""
    try:
        return await call
    except (UnknownCampaignError, UnknownCommitError):
        return None


def test_another_owner_finds_nothing(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        operator = await stores.make_alone()
        ann, eve = operator.for_owner("ann"), operator.for_owner("eve")
        hers = await ann.found(replace(make_founding("harbor"), game={"title": "hers"}))
        await hers.accept(make_input(TURN))
        await hers.commit(TURN, make_attempt(TURN))
        await hers.add(make_aside(TURN, "aside"))
        await hers.write_open_turn(OpenTurn(MAIN, "o", "ann", moment(9)), 0)
        before = await see_everything(ann)
        # The id of the campaign, and everything that was known of it, but another owner.
        forged = PostgresBook(
            operator.databases[0], KEYS, replace((await ann.open("harbor")).opened, owner="eve")
        )
        for name, call in BOOK_CALLS.items():
            found = await steal(call(forged))
            assert not found or found == type(found)(), f"{name} returns {found}"
        for name in ("open", "listing", "campaigns", "remove"):
            assert not await steal(STORE_CALLS[name](eve)), name
        with pytest.raises(ChronicleError, match="someone else"):
            await STORE_CALLS["found"](eve)
        assert await eve.campaigns() == ()
        assert await see_everything(ann) == before
        # The same name is free for her, and stays apart.
        mine = await eve.found(make_founding("harbor"))
        assert (await mine.look()).sequence == 0
        assert await see_everything(ann) == before
        with pytest.raises(ChronicleError, match="several owners"):
            await operator.open("harbor")
        assert {one.owner for one in await operator.campaigns()} == {"ann", "eve"}

    run_with(postgres_server, check)


async def see_everything(store: PostgresStore) -> object:
    """All that an owner sees of a campaign."""
    book = await store.open("harbor")
    return (
        await book.look(),
        await gather(book.records()),
        await book.chain(),
        await book.open_turn(MAIN),
        await book.kept(BlobKind.GAME, ROOT.game_digest),
        await store.campaigns(),
    )
