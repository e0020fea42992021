"""What an owner may store in PostgreSQL: every byte is counted, and limits hold for all nodes."""

import asyncio
import random
from dataclasses import replace

import pytest

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import PointerKind, Pointing
from talewright.chronicle.store import (
    BlobKind,
    ChronicleError,
    StorageFullError,
    StorageLimits,
    TooManyCampaignsError,
)
from talewright.stores.postgres.connection_retry import LostWriteError
from talewright.stores.postgres.migration_runner import SchemaPart, migrate, read_migrations
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.scoped_access import StorageRoom
from talewright.stores.postgres.statements import STORED_BY_OWNERS
from talewright.testing.store_checks.store_fixtures import (
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import FreshStores, run_with

COUNTED = """
select c.name, c.bytes,
  (select coalesce(sum(octet_length(r.line)), 0)::bigint from records r where r.campaign = c.id)
  + (select coalesce(sum(octet_length(s.value)), 0)::bigint from snapshots s where s.campaign = c.id) as taken
from campaigns c order by c.name
"""


async def count(store: PostgresStore) -> dict[str, int]:
    """The bytes of each campaign, which are those that it takes."""
    rows = await store.databases[0].fetch(COUNTED)
    for row in rows:
        assert row["bytes"] == row["taken"], row["name"]
    return {row["name"]: row["bytes"] for row in rows}


def test_every_byte_of_records_and_snapshots_is_counted(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        book = await store.found(founding)
        sizes = [(await count(store))["harbor"]]
        assert sizes[0] > 0
        turn = make_turn(founding.root, "one")
        for write in (
            book.accept(make_input(turn)),
            book.commit(turn, make_attempt(turn)),
            book.add(make_aside(turn, "aside")),
            book.point(Pointing(at=turn.at, kind=PointerKind.BRANCH, name="fork", commit=turn.id)),
            book.point(Pointing(at=turn.at, kind=PointerKind.MARK, name="mark", commit=turn.id)),
            book.keep(BlobKind.SNAPSHOT, turn.id, {"state": "x" * 1_000}),
        ):
            await write
            sizes.append((await count(store))["harbor"])
            assert sizes[-1] > sizes[-2]
        await book.keep(BlobKind.SNAPSHOT, turn.id, {"state": "x"})
        assert (await count(store))["harbor"] < sizes[-1]

    run_with(postgres_server, check)


def test_campaigns_from_before_are_counted_by_the_migration(
    postgres_server: PostgresServer,
) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        book = await store.found(founding)
        await book.keep(BlobKind.SNAPSHOT, founding.root.id, {"state": "x" * 1_000})
        size = (await count(store))["harbor"]
        database = store.databases[0]
        steps = [step for step in read_migrations(SchemaPart.CAMPAIGNS) if step.name == "campaigns_bytes"]
        for statement in (
            "drop index campaigns_by_owner",
            "alter table campaigns drop column bytes",
            f"delete from schema_versions where version = {steps[0].version}",
        ):
            await database.write(statement)
        await migrate(database, SchemaPart.CAMPAIGNS)
        assert await count(store) == {"harbor": size}

    run_with(postgres_server, check)


def test_of_fifty_campaigns_on_two_nodes_at_once_one_fits(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        limits = StorageLimits(campaigns=3)
        nodes = [(await stores.make_alone()).for_owner("ann", limits)]
        nodes.append((await stores.reopen()).for_owner("ann", limits))
        for name in ("one", "two"):
            await nodes[0].found(make_founding(name))
        told = await asyncio.gather(
            *(nodes[number % 2].found(make_founding(f"more{number}")) for number in range(50)),
            return_exceptions=True,
        )
        refused = [one for one in told if isinstance(one, BaseException)]
        assert len(refused) == 49
        assert {type(one) for one in refused} == {TooManyCampaignsError}
        assert len(await nodes[0].campaigns()) == 3
        # Another owner, and the operator, are not affected.
        await nodes[0].for_owner("bob").found(make_founding("one"))
        await nodes[0].for_owner("ann", StorageLimits()).found(make_founding("pushed"))
        await nodes[0].remove("one", "2026-11-18T00:00:00Z")
        with pytest.raises(TooManyCampaignsError):
            await nodes[0].found(make_founding("four"))
        await nodes[0].remove("two", "2026-11-18T00:00:00Z")
        await nodes[0].found(make_founding("four"))

    run_with(postgres_server, check)


def test_whoever_is_full_stores_nothing_more(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        unlimited = (await stores.make_alone()).for_owner("ann")
        founding = make_founding("one")
        await unlimited.found(founding)
        size = (await count(unlimited))["one"]
        roomy = unlimited.for_owner("ann", StorageLimits(bytes=2 * size))
        await roomy.found(make_founding("two"))
        assert sum((await count(unlimited)).values()) == 2 * size
        with pytest.raises(StorageFullError) as caught:
            await roomy.found(make_founding("three"))
        assert "operator" in caught.value.hint
        # What fits to the last byte is not too much; one turn later it is.
        book, turn = await roomy.open("one"), make_turn(founding.root, "turn")
        await book.accept(make_input(turn))
        head = await book.commit(turn, make_attempt(turn))
        later, after = await roomy.open("one"), make_turn(head, "after")
        before = await later.chain()
        with pytest.raises(StorageFullError):
            await later.accept(make_input(after))
        assert await later.chain() == before
        # An input that was accepted before is answered, and its turn is finished.
        assert (await later.accept(make_input(turn))).commit == head
        # A removed campaign is stored until the operator deletes it.
        await roomy.remove("two", "2026-11-18T00:00:00Z")
        with pytest.raises(StorageFullError):
            await roomy.found(make_founding("three"))
        await unlimited.found(make_founding("three"))

    run_with(postgres_server, check)


def test_open_turns_count_until_they_are_closed(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = (await stores.make_alone()).for_owner("ann")
        book = await store.found(make_founding("one"))
        size = (await count(store))["one"]
        noise = "".join(random.Random(1).choices("0123456789abcdef", k=4_000))
        turn = OpenTurn("main", "op", "master", "2026-01-01T00:00:00Z", 0, {"rounds": [noise]})
        limits = StorageLimits(bytes=size + 1_000)
        written = await book.write_open_turn(turn, 0)
        with pytest.raises(StorageFullError):
            await StorageRoom(book._access, limits).check()
        (owner,) = await store.databases[0].fetch(STORED_BY_OWNERS)
        assert owner["bytes"] > size + 1_000
        # A turn that was accepted is finished.
        written = await book.write_open_turn(
            replace(written, body={"rounds": [noise, "end"]}), written.revision
        )
        await book.drop_open_turn("main", written.revision)
        await StorageRoom(book._access, limits).check()
        (owner,) = await store.databases[0].fetch(STORED_BY_OWNERS)
        assert (owner["owner"], owner["campaigns"], owner["bytes"]) == ("ann", 1, size)

    run_with(postgres_server, check)


def test_room_is_looked_up_now_and_then(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = (await stores.make_alone()).for_owner("ann")
        book = await store.found(make_founding("one"))
        size, now = (await count(store))["one"], 0.0
        room = StorageRoom(book._access, StorageLimits(bytes=size), lambda: now)
        await room.check()
        await store.found(make_founding("two"))
        now = 29.0
        await room.check()
        now = 30.0
        for _ in range(2):
            with pytest.raises(StorageFullError):
                await room.check()
        before = store.databases[0].counts.statements
        await StorageRoom(book._access, StorageLimits(campaigns=1), lambda: now).check()
        assert store.databases[0].counts.statements == before

    run_with(postgres_server, check)


def test_a_campaign_whose_answer_was_lost_does_not_count_twice(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(stores: FreshStores) -> None:
        store = (await stores.make_alone()).for_owner("ann", StorageLimits(campaigns=1))
        database = store.databases[0]
        transact, lost = database.transact, 0

        async def lose(work: object) -> object:
            nonlocal lost
            answer = await transact(work)  # type: ignore[arg-type, var-annotated]
            lost += 1
            if lost == 1:
                raise LostWriteError
            return answer

        monkeypatch.setattr(database, "transact", lose)
        await store.found(make_founding("one"))
        assert lost == 1
        with pytest.raises(ChronicleError):
            await store.found(make_founding("two"))

    run_with(postgres_server, check)
