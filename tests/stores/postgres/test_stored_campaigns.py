"""What an operator sees of stored campaigns and deletes, directly on the tables."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID

import asyncpg
import pytest

from talewright.chronicle.records import PointerKind, Pointing
from talewright.chronicle.store import BlobKind, CampaignBook, UnknownCampaignError, UnsavedError
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.upkeep.stored_campaigns import (
    StoredCampaign,
    delete_stored,
    hide_stored,
    list_commits,
    list_stored,
    open_stored,
)
from talewright.testing.store_checks.store_fixtures import (
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import FreshStores, run_with

TABLES = (
    *("campaigns", "records", "branches", "marks", "waiting", "game_links", "games"),
    *("snapshots", "open_turns"),
)
OF_CAMPAIGNS = {"campaigns": "id", **dict.fromkeys(("records", "branches", "marks", "waiting"), "campaign")}


@asynccontextmanager
async def connected(stores: FreshStores) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(stores.url)
    try:
        yield connection
    finally:
        await connection.close()


async def found(store: PostgresStore, owner: str, name: str, game: str) -> CampaignBook:
    """A campaign with a row in every table."""
    founding = make_founding(f"{owner} {name}")
    book = await store.for_owner(owner).found(replace(founding, campaign=name, game={"game": game}))
    turn = make_turn(founding.root, f"{owner} {name}")
    await book.accept(make_input(turn))
    await book.commit(turn, make_attempt(turn))
    await book.add(make_aside(turn, f"{owner} {name}"))
    await book.point(Pointing(at=turn.at, kind=PointerKind.MARK, name="mark", commit=turn.id))
    await book.keep(BlobKind.SNAPSHOT, turn.id, {"state": "x"})
    await book.accept(make_input(make_turn(turn, f"{owner} {name} open")))
    return book


async def count_rows(connection: "asyncpg.Connection[asyncpg.Record]") -> Mapping[str, int]:
    return {name: await connection.fetchval(f"select count(*) from {name}") for name in TABLES}


async def count_of(connection: "asyncpg.Connection[asyncpg.Record]", campaign: UUID) -> Mapping[str, int]:
    statement = "select count(*) from {} where {} = $1"
    return {
        name: await connection.fetchval(statement.format(name, key), campaign)
        for name, key in OF_CAMPAIGNS.items()
    }


def name_all(listed: tuple[StoredCampaign, ...]) -> list[tuple[str, str, bool]]:
    return [(one.owner, one.name, one.removed is not None) for one in listed]


def test_all_campaigns_are_listed_with_removed_ones_after_their_namesakes(
    postgres_server: PostgresServer,
) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        for owner, name in (("ben", "harbor"), ("ann", "road"), ("ann", "harbor")):
            await found(store, owner, name, "one")
        await store.for_owner("ann").remove("harbor", moment(9))
        founding = make_founding("again")
        await store.for_owner("ann").found(replace(founding, campaign="harbor"))
        async with connected(stores) as connection:
            listed = await list_stored(connection, None)
            assert name_all(listed) == [
                ("ann", "harbor", False),
                ("ann", "harbor", True),
                ("ann", "road", False),
                ("ben", "harbor", False),
            ]
            assert listed[1].removed == moment(9)
            assert listed[0].about == founding.about
            assert [one.records for one in listed] == [1, 7, 7, 7]
            assert name_all(await list_stored(connection, "ben")) == [("ben", "harbor", False)]
            assert await list_stored(connection, "be") == ()
            assert await list_commits(connection, listed[0]) == [founding.root.id]

    run_with(postgres_server, check)


def test_nobody_writes_to_a_hidden_campaign(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        book = await found(store, "ann", "harbor", "one")
        await found(store, "ann", "road", "one")
        async with connected(stores) as connection:
            harbor, road = await list_stored(connection, None)
            head = (await book.look()).head
            await hide_stored(connection, [harbor])
            (hidden, other) = await list_stored(connection, None)
            assert hidden.removed is not None
            assert hidden.removed.endswith("Z")
            assert other == road
            with pytest.raises(UnsavedError):
                await book.point(Pointing(at=moment(9), kind=PointerKind.MARK, name="late", commit=head))
            with pytest.raises(UnknownCampaignError):
                await store.for_owner("ann").open("harbor")
            # When it was removed is not forgotten.
            await hide_stored(connection, [hidden])
            assert (await list_stored(connection, None))[0] == hidden

    run_with(postgres_server, check)


def test_a_deleted_campaign_leaves_no_row_and_no_game_that_only_it_has_played(
    postgres_server: PostgresServer,
) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        await found(store, "ann", "kept", "shared")
        async with connected(stores) as connection:
            before = await count_rows(connection)
            assert all(count for name, count in before.items() if name != "open_turns"), before
            await found(store, "ann", "first", "shared")
            await found(store, "ben", "second", "own")
            (first,) = [one for one in await list_stored(connection, None) if one.name == "first"]
            await delete_stored(connection, [first])
            assert not any((await count_of(connection, first.id)).values())
            assert (await count_rows(connection))["games"] == 2
            await delete_stored(connection, await list_stored(connection, "ben"))
            assert await count_rows(connection) == before
            await delete_stored(connection, [])
            assert await count_rows(connection) == before

    run_with(postgres_server, check)


def test_a_stored_campaign_is_opened_by_its_id_and_owner(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        book = await found(store, "ann", "harbor", "one")
        head = (await book.look()).head
        await store.for_owner("ann").remove("harbor", moment(9))
        async with connected(stores) as connection:
            (harbor,) = await list_stored(connection, None)
            opened = await open_stored(store, harbor)
            assert (await opened.look()).head == head
            with pytest.raises(UnknownCampaignError):
                await open_stored(store, replace(harbor, owner="ben"))
            await delete_stored(connection, [harbor])
            with pytest.raises(UnknownCampaignError):
                await open_stored(store, harbor)

    run_with(postgres_server, check)
