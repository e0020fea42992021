"""Databases of a host: migrations, shards and the change of keys, and a dump that gives nothing away."""

import asyncio
import base64
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.store import BlobKind, DamagedError
from talewright.errors import SettingsError
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.migration_runner import (
    DatabaseSchemaError,
    Migration,
    SchemaPart,
    migrate,
    read_migrations,
)
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import SealingKeys, parse_keys
from talewright.stores.postgres.shards import SHARDS, ShardMap, parse_shards, shard_of, single_database
from talewright.testing.store_checks.store_fixtures import (
    SECRET,
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import KEYS, FreshStores, run_with

CANARY = "canary-5b1f"
OTHER = "k2:" + base64.b64encode(bytes(range(32))).decode()


def test_processes_that_start_together_migrate_once(
    database_url: str, postgres_server: PostgresServer
) -> None:
    async def check() -> None:
        databases = [Database(database_url) for _ in range(5)]
        applied = await asyncio.gather(*(migrate(one, SchemaPart.CAMPAIGNS) for one in databases))
        assert applied == [tuple(step.version for step in read_migrations(SchemaPart.CAMPAIGNS))] * 5
        for database in databases:
            await database.close()

    asyncio.run(check())
    versions = postgres_server.query("select count(*) from schema_versions", database_url.rpartition("/")[2])
    assert int(versions) == len(read_migrations(SchemaPart.CAMPAIGNS))


def test_the_schema_goes_forward_and_a_newer_one_is_refused(database_url: str) -> None:
    async def check() -> None:
        database = Database(database_url)
        steps = read_migrations()
        assert [step.version for step in steps] == list(range(1, len(steps) + 1))
        assert {step.part for step in steps} == set(SchemaPart)
        part = SchemaPart.CAMPAIGNS
        await migrate(database, part, steps)
        later = (*steps, Migration(len(steps) + 1, "campaigns_later", "create table later (x int)"))
        assert (await migrate(database, part, later))[-1] == len(later)
        with pytest.raises(DatabaseSchemaError, match="this version knows schemas up to") as refused:
            await migrate(database, part, steps)
        assert "Update Talewright" in refused.value.hint
        other = (*steps, replace(later[-1], statements="create table other (x int)"))
        with pytest.raises(DatabaseSchemaError, match="is not the one of this version"):
            await migrate(database, part, other)
        broken = (
            *later,
            Migration(len(later) + 1, "campaigns_broken", "create table half (x int); select nonsense"),
        )
        with pytest.raises(Exception, match="nonsense"):
            await migrate(database, part, broken)
        assert await database.fetch("select 1 from pg_tables where tablename = 'half'") == []
        await database.close()

    asyncio.run(check())


def test_every_part_has_its_steps_in_any_database(database_url: str) -> None:
    async def check() -> None:
        database = Database(database_url)
        assert await migrate(database, SchemaPart.OWNERS) == (3, 4, 7)
        assert await migrate(database, SchemaPart.WORKERS) == (2, 3, 4, 7)
        assert await migrate(database, SchemaPart.CAMPAIGNS) == (1, 2, 3, 4, 5, 6, 7, 8)
        assert await migrate(database, SchemaPart.CAMPAIGNS) == (1, 2, 3, 4, 5, 6, 7, 8)
        await database.close()

    asyncio.run(check())


TAKEN_OVER = 3
"""How many steps make the tables that there were before there were steps."""

FILLED = """
insert into hosting.executors (executor, version, beats, answered) values ('w1', '4', 7, 1.5);
update hosting.answered_time set seconds = 42;
insert into hosting.wishes (workflow, wish) values ('turn', 'cancel');
insert into hosting.crashes (workflow, executor, queue) values ('turn', 'w0', 'q');
insert into hosting.owners (id, label, token_hash, dollars_spent) values ('ada', 'Ada', 'x', 2.5);
insert into hosting.reservations (id, owner, dollars, tokens, until, campaign)
    values ('r', 'ada', 1, 10, now(), 'c');
insert into hosting.campaign_spending values ('ada', 'c', 2, 20, 1, 10);
"""
"""A row in every table of workers and owners."""


def test_tables_made_before_the_migrations_are_taken_over(
    database_url: str, postgres_server: PostgresServer
) -> None:
    """Before, only the tables of campaigns had steps; the others were created at every start."""
    old = (Path(__file__).parent / "tables_before_migrations.sql").read_text(encoding="utf-8")
    name = database_url.rpartition("/")[2]

    async def create() -> None:
        database = Database(database_url)

        async def apply(connection: Any) -> None:
            await connection.execute(old)
            await connection.execute(FILLED)

        await migrate(database, SchemaPart.CAMPAIGNS, read_migrations()[:TAKEN_OVER])
        await database.transact(apply)
        await database.close()

    async def take_over(steps: tuple[Migration, ...]) -> None:
        database = Database(database_url)
        for part in SchemaPart:
            await migrate(database, part, steps)
        await database.close()

    def list_versions() -> list[str]:
        return postgres_server.query("select version from schema_versions order by version", name).split()

    def dump() -> list[str]:
        # The ledger is what changes, and each dump has a random word in two lines.
        lines = postgres_server.dump(name).splitlines()
        left_out = re.compile(r"restrict|\t(campaigns|workers|owners)[a-z_]*\t")
        return [line for line in lines if not left_out.search(line)]

    asyncio.run(create())
    before = dump()
    steps = read_migrations()
    asyncio.run(take_over(steps[:TAKEN_OVER]))
    assert dump() == before
    assert list_versions() == ["1", "2", "3"]
    # Later steps add columns to them, and keep every row.
    asyncio.run(take_over(steps))
    assert list_versions() == [str(step.version) for step in steps]
    rows = [line for line in before if "\t" in line]
    assert len(rows) >= len(FILLED.split("insert into")) - 1
    kept = [line for line in dump() if "\t" in line]
    assert len(kept) == len(rows)
    assert [row for row, new in zip(rows, kept, strict=True) if not f"{new}\t".startswith(f"{row}\t")] == []


def test_new_tables_are_those_that_older_programs_made(postgres_server: PostgresServer) -> None:
    old = (Path(__file__).parent / "tables_before_migrations.sql").read_text(encoding="utf-8")

    async def create(url: str, statements: str) -> None:
        database = Database(url)
        for part in SchemaPart if not statements else [SchemaPart.CAMPAIGNS]:
            await migrate(database, part, read_migrations()[:TAKEN_OVER])
        if statements:
            await database.transact(lambda connection: connection.execute(statements))
        await database.close()

    made = []
    for statements in ("", old):
        name = postgres_server.create_database()
        asyncio.run(create(postgres_server.url(name), statements))
        lines = postgres_server.dump(name).splitlines()
        made.append([line for line in lines if not re.search(r"restrict|\t|\d\d:\d\d", line)])
        postgres_server.drop_database(name)
    assert made[0] == made[1]


PREVIOUS = """
alter table campaigns
    alter column at drop default, drop column played;
alter table records drop constraint records_campaign_fkey;
alter table branches drop constraint branches_campaign_fkey;
alter table marks drop constraint marks_campaign_fkey;
alter table waiting drop constraint waiting_campaign_fkey;
alter table snapshots drop constraint snapshots_campaign_fkey;
alter table open_turns drop constraint open_turns_campaign_fkey;
alter table game_links drop constraint game_links_campaign_fkey, drop constraint game_links_hash_fkey;
drop index game_links_by_hash;
drop table sealing_keys;
delete from schema_versions where version = 6;
update campaigns set at = '2026-01-01T00:00:0' || sequence || '.25Z';
update campaigns set at = 'some day' where name = 'odd';
update campaigns set closed = '2026-02-03T04:05:06Z' where name = 'closed';
insert into branches (campaign, name, head, mark) values (gen_random_uuid(), 'orphan', 'c', 'k1:x');
insert into records (campaign, number, kind, chain, line) values (gen_random_uuid(), 0, 'commit', 'c', 'l');
"""
"""Takes the sixth step back, and leaves rows of a campaign that was deleted by hand."""


def test_campaigns_of_the_previous_schema_are_migrated(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = (await stores.make_alone()).for_owner("ann")
        for name in ("harbor", "odd", "closed", "gone"):
            await store.found(make_founding(name))
        book = await store.open("harbor")
        turn = make_turn(make_founding("harbor").root, "first")
        await book.accept(make_input(turn))
        await book.commit(turn, make_attempt(turn))
        await store.remove("gone", "2026-03-04T05:06:07Z")
        records = [record async for record in book.records()]
        for database in store.databases:
            await database.close()
        postgres_server.query(PREVIOUS, stores.name)
        again = (await stores.reopen()).for_owner("ann")
        book = await again.open("harbor")
        assert [record async for record in book.records()] == records
        assert (await again.listing("harbor")).at == "2026-01-01T00:00:01.250000Z"
        assert (await again.listing("odd")).at.startswith("20"), "the time of its last write"
        assert await (await again.open("closed")).closed_at() == "2026-02-03T04:05:06Z"
        assert await book.closed_at() is None
        # Deleting the row of a campaign leaves nothing of it.
        postgres_server.query("delete from campaigns where name in ('harbor', 'gone')", stores.name)
        for table in ("records", "branches"):
            assert int(postgres_server.query(f"select count(*) from {table}", stores.name)) == 2, table

    run_with(postgres_server, check)


def test_shards_never_change() -> None:
    assert [shard_of(owner) for owner in ("", "ann", "bob", "雾港")] == [52, 110, 410, 199]
    counts = [0] * SHARDS
    for number in range(48_000):
        counts[shard_of(f"owner {number}")] += 1
    assert min(counts) > 50
    assert max(counts) < 160


def test_shards_are_configured() -> None:
    assert parse_shards("postgresql://one/tales") == single_database("postgresql://one/tales")
    two = parse_shards("0-239=postgresql://one/a\n240-478=postgresql://two/b 479=postgresql://one/a")
    assert two.databases == ("postgresql://one/a", "postgresql://two/b")
    assert two.of_database(1) == frozenset(range(240, 479))
    assert two.index_of("bob") == 1
    for wrong, message in (
        ("", "is not set"),
        ("0-479=a 3=b", "two databases for the shard 3"),
        ("0-478=a", "no database for the shard 479"),
        ("0-480=a 1=b", "shards 0-480"),
        ("0-479=a nonsense", "not of the form"),
        ("5-4=secret 0=b", "shards 5-4"),
    ):
        with pytest.raises(SettingsError, match=message) as error:
            parse_shards(wrong)
        assert "secret" not in str(error.value)
    assert "one" not in repr(two)


def test_owners_are_spread_over_databases(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        names = [postgres_server.create_database() for _ in range(2)]
        urls = [postgres_server.url(name) for name in names]
        shards = parse_shards(f"0-239={urls[0]} 240-{SHARDS - 1}={urls[1]}")
        store = await connect(shards, KEYS)
        owners = [f"owner {number}" for number in range(8)]
        for number, owner in enumerate(owners):
            await store.for_owner(owner).found(make_founding("harbor" if number else "first"))
        assert {shards.index_of(owner) for owner in owners} == {0, 1}
        for owner in owners:
            (listed,) = await store.for_owner(owner).campaigns()
            assert (await store.for_owner(owner).open(listed.campaign)).owner == owner
        assert [one.owner for one in await read_campaigns(store)] == owners[::-1]
        everything = await store.campaigns()
        assert [one.owner for one in everything] == owners
        # All campaigns of a name are on one page, in whichever databases they are.
        assert await store.campaigns(limit=1) == everything[:1]
        assert await store.campaigns(limit=3) == everything
        assert await store.campaigns(after="first", limit=3) == everything[1:]
        assert await store.campaigns(after="harbor") == ()
        assert (await store.open("first")).owner == owners[0]
        await store.close()
        # The other way round, every campaign would seem to be gone.
        with pytest.raises(SettingsError, match="which the configuration puts elsewhere"):
            await connect(ShardMap(tuple(reversed(urls)), shards.places), KEYS)
        for name in names:
            postgres_server.drop_database(name)

    run_with(postgres_server, check)


def test_a_dump_holds_no_canary(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = (await stores.make_alone()).for_owner("ann")
        founding = make_founding("harbor")
        body = {**founding.root.body, "state": {"murderer": CANARY}}
        secret = (CANARY.encode() * 4)[:32]
        founding = replace(
            founding, root=replace(founding.root, body=body), secret=secret, game={"twist": CANARY}
        )
        book = await store.found(founding)
        turn = make_turn(founding.root, "first", body={"narration": CANARY})
        await book.accept(replace(make_input(turn), input={"say": CANARY}))
        await book.commit(turn, replace(make_attempt(turn), body={"raw": CANARY}))
        await book.add(replace(make_aside(turn, "aside"), body={"summary": CANARY * 40}))
        await book.keep(BlobKind.SNAPSHOT, turn.id, {"murderer": CANARY})
        assert CANARY in repr([record async for record in book.records()])
        dump = stores.server.dump(stores.name)
        assert "harbor" in dump, "the dump is that of the campaign"
        for form in (
            CANARY,
            CANARY.encode().hex(),
            base64.b64encode(CANARY.encode()).decode().rstrip("=")[:-1],
        ):
            assert form not in dump

    run_with(postgres_server, check)


def test_keys_are_rotated(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        await store.found(founding)
        both = SealingKeys({**parse_keys(OTHER).keys, **KEYS.keys})
        before = await stores.reopen(KEYS)
        await stores.reopen(SealingKeys({**KEYS.keys, **parse_keys(OTHER).keys}))
        book = await (await stores.reopen(both)).open("harbor")
        turn = make_turn(founding.root, "first")
        await book.accept(make_input(turn))
        await book.commit(turn, make_attempt(turn))
        assert await book.secret() == SECRET
        assert len([record async for record in book.records()]) == 4
        used = stores.server.query("select distinct substr(line, 3, 2) from records", stores.name).split()
        assert sorted(used) == ["\\x6b31", "\\x6b32"], "old records keep their key, new ones have the new key"
        with pytest.raises(DamagedError, match="the sealing key 'k2' is not there"):
            await before.open("harbor")

    run_with(postgres_server, check)
