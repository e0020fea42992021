"""Sealing keys of a host: a new one in two steps, an old one retired, and a wrong one refused."""

import base64
from typing import Any

import asyncpg
import pytest

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import MAIN, PointerKind, Pointing
from talewright.chronicle.store import BlobKind
from talewright.errors import SettingsError
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.sealing import SealingKeys, parse_keys
from talewright.stores.postgres.upkeep.key_registry import retire_keys
from talewright.stores.postgres.upkeep.resealing import ResealReport, reseal_database
from talewright.testing.store_checks.store_fixtures import (
    SECRET,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
)
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import KEYS, FreshStores, run_with

SECOND = parse_keys("second:" + base64.b64encode(bytes(range(32))).decode())
SWAPPED = SealingKeys({"k1": SECOND.keys["second"]})
"""Another key with the same id."""

NEW_LAST = SealingKeys({**KEYS.keys, **SECOND.keys})
NEW_FIRST = SealingKeys({**SECOND.keys, **KEYS.keys})

ROOT = make_founding("harbor").root


async def play(store: PostgresStore, name: str) -> None:
    """Take the next turn of the campaign."""
    book = await store.open("harbor")
    turn = make_turn(await book.read((await book.look()).head), name)
    await book.accept(make_input(turn))
    await book.commit(turn, make_attempt(turn))


def test_a_key_that_is_new_or_not_the_one_is_refused(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        await (await stores.make_alone()).found(make_founding("harbor"))
        with pytest.raises(SettingsError, match="'k1' is not the one that the database was written with"):
            await stores.reopen(SWAPPED)
        with pytest.raises(SettingsError, match="'second' is new to this host and cannot be the first"):
            await stores.reopen(NEW_FIRST)
        with pytest.raises(SettingsError, match="'k1' is missing") as refused:
            await stores.reopen(SECOND)
        assert "admin reseal" in refused.value.hint
        await stores.reopen(KEYS)
        # An operator who has changed their mind can take a new key away again, until it was the first one.
        await stores.reopen(NEW_LAST)
        await stores.reopen(KEYS)
        await stores.reopen(NEW_FIRST)
        with pytest.raises(SettingsError, match="'second' is missing"):
            await stores.reopen(KEYS)

    run_with(postgres_server, check)


def test_a_key_is_changed_in_two_steps_while_processes_run(postgres_server: PostgresServer) -> None:
    """In each step, a process that was not restarted yet reads and writes beside one that was."""

    async def check(stores: FreshStores) -> None:
        old = await stores.make_alone()
        await old.found(make_founding("harbor"))
        for number, (before, after) in enumerate(((KEYS, NEW_LAST), (NEW_LAST, NEW_FIRST))):
            waits, restarted = await stores.reopen(before), await stores.reopen(after)
            for store in (restarted, waits, restarted):
                await play(store, f"turn {number} {id(store)} {len(await read_all(store))}")
            for store in (waits, restarted):
                assert [one.damaged for one in await store.campaigns()] == [False]
                assert await (await store.open("harbor")).secret() == SECRET
            assert await read_all(waits) == await read_all(restarted)

    run_with(postgres_server, check)


async def read_all(store: PostgresStore) -> list[Any]:
    return [record async for record in (await store.open("harbor")).records()]


def test_the_keys_of_a_database_without_fingerprints_are_checked(postgres_server: PostgresServer) -> None:
    """As after an update: the table is there, and nobody has registered."""

    async def check(stores: FreshStores) -> None:
        await (await stores.make_alone()).found(make_founding("harbor"))
        postgres_server.query("delete from sealing_keys", stores.name)
        with pytest.raises(SettingsError, match="'k1' is not the one that the database was written with"):
            await stores.reopen(SWAPPED)
        # The host had changed its key before there were fingerprints.
        await play(await stores.reopen(NEW_FIRST), "second")
        await stores.reopen(NEW_LAST)

    run_with(postgres_server, check)


async def fill(store: PostgresStore) -> None:
    """A campaign with a value in every sealed column, and another one that was removed."""
    book = await store.found(make_founding("harbor"))
    await book.keep(BlobKind.SNAPSHOT, ROOT.id, {"here": "snapshot"})
    await book.keep(BlobKind.GAME, ROOT.game_digest, {"here": "game"})
    await book.write_open_turn(OpenTurn(MAIN, "o", "ann", moment(9)), 0)
    await book.write_open_turn(OpenTurn("", "o", "ann", moment(9)), 0)
    await book.point(Pointing(PointerKind.MARK, "inn", ROOT.id, moment(3)))
    await store.found(make_founding("gone"))
    await store.remove("gone", moment(5))


async def see(store: PostgresStore) -> object:
    """Everything that was filled in."""
    book = await store.open("harbor")
    return (
        await book.look(),
        [record async for record in book.records()],
        await book.chain(),
        await book.secret(),
        await book.kept(BlobKind.SNAPSHOT, ROOT.id),
        await book.kept(BlobKind.GAME, ROOT.game_digest),
        await book.open_turn(MAIN),
        await book.open_turn(""),
        await book.marks(),
        await store.campaigns(),
    )


async def reseal(url: str, keys: SealingKeys, *, retire: bool = False) -> ResealReport:
    connection = await asyncpg.connect(url)
    report = await reseal_database(connection, keys)
    if retire:
        assert await retire_keys(connection, keys) == ("k1",)
    await connection.close()
    return report


def test_resealing_retires_a_key(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        await fill(store)
        before = await see(store)
        await stores.reopen(NEW_LAST)
        report = await reseal(stores.url, NEW_FIRST, retire=True)
        assert (report.values, report.unreadable) == (12, ())
        # A dump has no value of the old key any more, and the sizes are right.
        text = stores.server.dump(stores.name)
        assert "\\\\x6b313a" not in text, "marks of k1"
        assert "026b31" not in text, "values of k1"
        sizes = (
            "select sum(octet_length(line)) from records",
            "select sum(octet_length(value)) from snapshots",
        )
        stored = sum(int(stores.server.query(size, stores.name)) for size in sizes)
        assert int(stores.server.query("select sum(bytes) from campaigns", stores.name)) == stored
        alone = await stores.reopen(SECOND)
        assert await see(alone) == before
        await play(alone, "first")
        assert await reseal(stores.url, SECOND) == ResealReport()
        # A process that was forgotten must not seal with the retired key, but may still have it.
        await stores.reopen(NEW_FIRST)
        for keys in (KEYS, NEW_LAST):
            with pytest.raises(SettingsError, match=r"'second' is missing|'k1' was retired"):
                await stores.reopen(keys)

    run_with(postgres_server, check)


def test_a_value_that_cannot_be_opened_is_reported_and_left(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        await fill(store)
        stores.server.query("update snapshots set value = set_byte(value, 20, 7)", stores.name)
        stores.server.query("update branches set head = 'other' where name = 'main'", stores.name)
        report = await reseal(stores.url, NEW_FIRST)
        damaged = sorted(one.split()[0] for one in report.unreadable)
        assert damaged == ["campaigns", "campaigns", "snapshots"]
        assert report.values == 8
        assert (await reseal(stores.url, NEW_FIRST)).unreadable == report.unreadable

    run_with(postgres_server, check)
