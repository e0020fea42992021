"""`talewright admin campaigns`, `purge`, `export`, `migrate` and `reseal`, on a real PostgreSQL and Redis.

Whoever is deleted leaves nothing in a dump; whoever stays keeps everything.
"""

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from dbos import run_dbos_database_migrations
from redis import Redis

from talewright.bootstrap.hosting import host_data, host_schema
from talewright.bootstrap.hosting.host_data import HostData, name_saves
from talewright.chronicle.store import UnknownCampaignError, is_campaign_name
from talewright.cli import WRONG_USE
from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.hosting_tables import HostingTables, TurnWish
from talewright.hosting.news.redis_stream_reader import name_newest, name_stream
from talewright.hosting.operations.campaign_traces import CampaignTraces, TraceScope
from talewright.hosting.owners.owner_accounts import UnknownOwnerError
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import BackgroundJob, TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright.stores.postgres.upkeep.resealing import reseal_database
from talewright.stores.postgres.upkeep.role_grants import GRANTS
from talewright.stores.postgres.upkeep.stored_campaigns import StoredCampaign
from talewright.testing.store_checks.store_fixtures import (
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
)
from talewright_testkit.servers.postgres_server import POSTGRES_USER, PostgresServer
from tests.cli.campaigns import NAME, Console
from tests.cli.hosting.test_admin_command import KEYS, Operator, operator

__all__ = ["operator"]

SECOND = "k2:" + base64.b64encode(bytes(range(32))).decode()
ROOT = make_founding("any").root


@pytest.fixture(autouse=True)
def _no_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No node knows a token, so nobody waits for one."""
    monkeypatch.setattr(host_data.HostData.purge_owner, "__defaults__", (0.0,))


@pytest.fixture
def redis(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    monkeypatch.setenv("REDIS_URL", redis_url)
    client: Redis = Redis.from_url(redis_url)
    yield client
    client.close()


def add_owner(operator: Operator, label: str) -> str:
    made = operator.read("owner", "add", label)
    assert isinstance(made, dict)
    return str(made["id"])


async def found(store: PostgresStore, owner: str, name: str, seed: str = "") -> str:
    """A campaign whose game, ids and everything else are its own; returns the id of its first commit."""
    founding = make_founding(name)
    root = replace(founding.root, id=(f"{owner}{name}{seed}".encode().hex() * 3)[-40:])
    about = {"title": f"title of {name} {seed}"}
    game = {"game of": f"{owner} {name} {seed}"}
    mine = store.for_owner(owner)
    book = await mine.found(replace(founding, root=root, about=about, game=game))
    turn = make_turn(root, f"first {seed}")
    await book.accept(make_input(turn))
    await book.commit(turn, make_attempt(turn))
    return root.id


async def leave_traces(url: str, owner: str, campaign: str, base: str) -> list[str]:
    """What a host stores of a campaign besides its record; returns its workflows."""
    turn = TurnJob(owner, campaign, f"op-{campaign}", base, 0)
    after = BackgroundJob(owner, campaign, "main", base)
    queue, tables, database = TurnQueue(url, pool_size=1), HostingTables(url), Database(url)
    await queue.order_turn(turn)
    await queue.order_background(after)
    for one in (turn.workflow, after.workflow):
        await tables.wish(one, TurnWish.SKIP)
        await tables.note_crashes([(one, "worker-0", "turns")])
    # The last one has steps although its order is gone.
    for one in (turn.workflow, after.workflow, replace(turn, try_number=1).workflow):
        await database.write(
            "insert into dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
            " retention_timestamp) values ($1, 1, 'ask', '{}', 0)",
            one,
        )
    await database.write(
        "insert into hosting.campaign_spending values ($1, $2, 1, 10, 0, 0)", owner, campaign
    )
    await database.write(
        "insert into hosting.reservations (id, owner, dollars, tokens, until, campaign)"
        " values ($1, $2, 0, 0, now() + interval '1 hour', $3)",
        base,
        owner,
        campaign,
    )
    for closing in (queue, tables, database):
        await closing.close()
    return [turn.workflow, after.workflow]


def fill(operator: Operator, redis: Redis, owner: str, *names: str) -> None:
    """Campaigns of an owner, with everything that a host stores of them."""

    async def run() -> None:
        store = await connect(single_database(operator.url), parse_keys(KEYS))
        for name in names:
            base = await found(store, owner, name)
            await leave_traces(operator.url, owner, name, base)
            for key in (name_stream(f"{owner}/{name}"), name_newest(f"{owner}/{name}")):
                redis.xadd(key, {"s": name})
        await store.close()

    run_dbos_database_migrations(system_database_url=make_database_url(operator.url))
    asyncio.run(run())


def dump(server: PostgresServer, url: str) -> list[str]:
    """The rows of a database, without the random words and times of a dump."""
    return [line for line in server.dump(url.rpartition("/")[2]).splitlines() if "restrict" not in line]


def list_stored(operator: Operator, *words: str) -> list[dict[str, Any]]:
    told = operator.read("campaigns", *words)
    assert isinstance(told, list)
    return told


def test_stored_campaigns_are_listed_with_their_sizes(operator: Operator, redis: Redis) -> None:
    assert operator.run("campaigns").lines == ["No campaigns are stored."]
    ann, ben = add_owner(operator, "Ann"), add_owner(operator, "Ben")
    fill(operator, redis, ann, "harbor", "road")
    fill(operator, redis, ben, "harbor")

    async def remove() -> None:
        store = await connect(single_database(operator.url), parse_keys(KEYS))
        await store.for_owner(ann).remove("road", moment(3))
        await (await store.for_owner(ann).open("harbor")).close_campaign(moment(4))
        await store.close()

    asyncio.run(remove())
    assert len(list_stored(operator)) == 3
    listed = {one["name"]: one for one in list_stored(operator, "--owner", ann)}
    assert {name: (one["removed"] is None, one["closed"] is None) for name, one in listed.items()} == {
        "harbor": (True, False),
        "road": (False, True),
    }
    assert listed["harbor"]["title"] == "title of harbor "
    assert all(one["bytes"] > 100 and one["records"] == 4 for one in listed.values())
    lines = operator.run("campaigns", "--owner", ann).lines
    assert re.fullmatch(rf"[0-9a-f-]{{36}}  {ann}/\w+: \d+ bytes, 4 records, \w+", lines[0])


def test_a_purged_campaign_leaves_nothing(
    operator: Operator, redis: Redis, postgres_server: PostgresServer
) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "canary", "kept")
    (canary,) = [one for one in list_stored(operator) if one["name"] == "canary"]
    asked = operator.run("campaign", "purge", "canary", "--owner", ann)
    assert asked.code == 2
    assert asked.lines[-1] == "Nothing was deleted. To delete 1 campaign for good, add --yes."
    assert "canary" in "".join(dump(postgres_server, operator.url))
    answer = operator.run("campaign", "purge", "canary", "--owner", ann, "--yes")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [f"Deleted 1 campaign with {canary['bytes']} bytes, and 3 queued turns."]
    left = "\n".join(dump(postgres_server, operator.url))
    assert "canary" not in left
    assert canary["id"] not in left
    assert left.count("kept") > 8
    assert postgres_server.query("select count(*) from games", operator.url.rpartition("/")[2]).strip() == "1"
    kept = name_stream(f"{ann}/kept"), name_newest(f"{ann}/kept")
    assert set(redis.keys("tw:news:*")) == {key.encode() for key in kept}
    assert operator.run("campaign", "purge", "canary", "--owner", ann, "--yes").code == WRONG_USE


def test_a_removed_campaign_is_purged_and_its_namesake_stays(
    operator: Operator, redis: Redis, postgres_server: PostgresServer
) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "harbor")

    async def begin_again() -> list[str]:
        store = await connect(single_database(operator.url), parse_keys(KEYS))
        await store.for_owner(ann).remove("harbor", moment(3))
        base = await found(store, ann, "harbor", "again")
        await store.close()
        database = Database(operator.url)
        await database.write("delete from hosting.campaign_spending")
        await database.close()
        return await leave_traces(operator.url, ann, "harbor", base)

    kept = asyncio.run(begin_again())
    (old,) = [one for one in list_stored(operator) if one["removed"]]
    told = operator.read("campaign", "purge", old["id"], "--yes")
    assert isinstance(told, dict)
    assert (told["campaigns"], told["workflows"], told["running"]) == ([old["id"]], 3, 0)
    assert [one["removed"] for one in list_stored(operator)] == [None]
    name = operator.url.rpartition("/")[2]
    left = postgres_server.query("select workflow_uuid from dbos.workflow_status order by 1", name)
    assert left.split() == sorted(kept)
    for table in ("hosting.wishes", "hosting.crashes", "hosting.campaign_spending"):
        assert int(postgres_server.query(f"select count(*) from {table}", name)) > 0, table
    assert len(redis.keys("tw:news:*")) == 2
    # The other way round, nothing of the one that is played stays.
    asyncio.run(begin_removed(operator.url, ann))
    assert operator.run("campaign", "purge", "harbor", "--owner", ann, "--yes").code == 0
    assert [one["removed"] is None for one in list_stored(operator)] == [False]
    for table in ("hosting.wishes", "hosting.crashes", "hosting.campaign_spending", "dbos.workflow_status"):
        assert int(postgres_server.query(f"select count(*) from {table}", name)) == 0, table
    assert redis.keys("tw:news:*") == []


async def begin_removed(url: str, owner: str) -> None:
    """A removed campaign beside the one that is played."""
    database = Database(url)
    await database.write(
        "insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),"
        " 'removed', now()))).* from campaigns c where owner = $1",
        owner,
    )
    await database.close()


def test_a_purged_owner_leaves_nothing_and_others_stay(
    operator: Operator, redis: Redis, postgres_server: PostgresServer
) -> None:
    ben = add_owner(operator, "Ben")
    fill(operator, redis, ben, "harbor", "road")
    kept = {line for line in dump(postgres_server, operator.url) if "\t" in line}
    ann = add_owner(operator, "canary-label")
    fill(operator, redis, ann, "harbor", "canary")

    async def remove() -> None:
        store = await connect(single_database(operator.url), parse_keys(KEYS))
        await store.for_owner(ann).remove("canary", moment(3))
        await store.close()

    asyncio.run(remove())
    assert operator.run("owner", "purge", ann).code == 2
    assert operator.run("owner", "purge", "nobody").code == WRONG_USE
    # The beginning of the id is enough, and the log says what was done.
    answer = operator.run("owner", "purge", ann[:12], "--yes")
    assert (answer.code, answer.err) == (0, "")
    line = operator.logged[-1]
    assert (line["action"], line["owner"], line["campaigns"]) == ("purge_owner", ann, 2)
    assert re.fullmatch(r"Deleted 2 campaigns with \d+ bytes, and 6 queued turns\.", answer.lines[0])
    left = dump(postgres_server, operator.url)
    assert not [line for line in left if ann in line or "canary" in line]
    assert kept <= set(left), "nothing of the other owner has changed"
    assert [key for key in redis.keys("*") if ann.encode() in key] == []
    assert len(redis.keys("tw:news:*")) == 4
    assert operator.run("owner", "purge", ann, "--yes").code == WRONG_USE


def test_a_turn_that_does_not_stop_is_told(
    operator: Operator, redis: Redis, monkeypatch: pytest.MonkeyPatch, postgres_server: PostgresServer
) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "harbor")
    name = operator.url.rpartition("/")[2]
    postgres_server.query("update dbos.workflow_status set status = 'PENDING' where name = 'turns'", name)
    monkeypatch.setattr(CampaignTraces.stop, "__defaults__", (0.3,))
    monkeypatch.delenv("REDIS_URL")
    answer = operator.run("campaign", "purge", "harbor", "--owner", ann, "--yes")
    assert answer.code == 3
    assert answer.lines[1:] == [
        "Redis could not be reached (REDIS_URL); its events expire within an hour.",
        "A worker still ran 1 turn. Run this again in a minute.",
    ]
    # Its last step arrives after everything else was deleted.
    late = f"{ann}/harbor/{'c' * 12}/op/0"
    postgres_server.query(
        "insert into dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
        f" retention_timestamp) values ('{late}', 1, 'ask', '{{}}', 0)",
        name,
    )
    answer = operator.run("campaign", "purge", "harbor", "--owner", ann, "--yes")
    assert (answer.code, answer.lines[0]) == (0, "Deleted 0 campaigns with 0 bytes, and 1 queued turn.")
    assert "harbor" not in "".join(dump(postgres_server, operator.url))
    assert operator.run("campaign", "purge", "harbor", "--owner", ann, "--yes").code == WRONG_USE


def test_an_owner_is_exported(
    operator: Operator, own_console: Console, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    ann = add_owner(operator, "Ann")
    for name in (NAME, "gone", "broken"):
        assert own_console.run("saves", "push", NAME, "--owner", ann, "--name", name).code == 0

    async def change() -> None:
        store = await connect(single_database(operator.url), parse_keys(KEYS))
        await (await store.for_owner(ann).open(NAME)).close_campaign(moment(3))
        await store.for_owner(ann).remove("gone", moment(3))
        await store.close()

    asyncio.run(change())
    assert operator.run("owner", "limits", ann, "--monthly-dollars", "7").code == 0
    database = operator.url.rpartition("/")[2]
    postgres_server.query(
        f"insert into hosting.campaign_spending values ('{ann}', 'gone', 1.5, 20, 0, 0)", database
    )
    place = tmp_path / "ann"
    answer = operator.run("owner", "export", ann, str(place))
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [f"Exported 3 campaigns to {place}."]
    assert operator.run("owner", "export", ann, str(place)).code == WRONG_USE
    written = json.loads((place / "owner.json").read_text("utf-8"))
    account = written["account"]
    assert (account["label"], account["monthly_dollars_limit"]) == ("Ann", 7)
    # Everything but the hash of the token.
    stored = postgres_server.query(
        "select column_name from information_schema.columns"
        " where table_schema = 'hosting' and table_name = 'owners'",
        database,
    )
    assert {*account, "token_hash"} == set(stored.split())
    (spending,) = written["spending"]
    assert (spending["campaign"], spending["dollars_spent"], spending["tokens_spent"]) == ("gone", 1.5, 20)
    saves = {one["save"]: one["name"] for one in written["campaigns"]}
    assert sorted(saves.values()) == ["broken", "gone", NAME]

    async def read() -> dict[str, bool]:
        home = FolderStore(place / "saves", git=False)
        return {one.campaign: one.damaged for one in await home.campaigns()}

    assert asyncio.run(read()) == dict.fromkeys(saves, False)
    # Only the campaign that can no longer be played here has its dice.
    assert own_console.run("verify", NAME, "--saves", str(place / "saves")).code == 0
    secrets = [path.parent.name for path in (place / "saves").glob("*/*") if "secret" in path.name]
    assert secrets == [NAME]
    url = operator.url.rpartition("/")[2]
    postgres_server.query(
        "update records set line = set_byte(line, 20, 0) where campaign = "
        "(select id from campaigns where name = 'broken') and number = 4",
        url,
    )
    told = operator.run("owner", "export", ann, str(tmp_path / "again"), "--json")
    assert told.code == 1
    assert list(json.loads(told.out)["failed"]) == ["broken"]


def test_a_key_is_retired(
    operator: Operator,
    redis: Redis,
    monkeypatch: pytest.MonkeyPatch,
    postgres_server: PostgresServer,
) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "harbor")
    name = operator.url.rpartition("/")[2]

    async def store_step(keys: str) -> None:
        """A step as a worker stores it."""
        stored: list[Any] = []

        async def call(step: str, work: Any) -> Any:
            stored.append(await work())
            return stored[-1]

        async def work() -> str:
            return "what the model said"

        async def read_steps(workflow: str) -> list[Any]:
            return []

        seal = parse_keys(keys).seal_for(b"")
        await SealedSteps("w", read_steps, seal, call).call("ask", work)
        database = Database(operator.url)
        await database.write(
            "insert into dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
            " retention_timestamp) values ('w', 1, 'ask', $1, 0)",
            json.dumps(stored[0]),
        )
        await database.close()

    async def read_step(keys: str) -> list[Any]:
        async def read_steps(workflow: str) -> list[Any]:
            text = postgres_server.query(
                "select output from dbos.operation_outputs where workflow_uuid = 'w'", name
            )
            return [("ask", json.loads(text))]

        return list(await SealedSteps("w", read_steps, parse_keys(keys).seal_for(b"")).read("w"))

    asyncio.run(store_step(KEYS))
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", f"{SECOND},{KEYS}")
    answer = operator.run("reseal")
    assert answer.code == WRONG_USE
    assert "'k2' is new to this host" in answer.err
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", f"{KEYS},{SECOND}")
    assert operator.run("reseal").lines == [
        "Encrypted 0 values with the key k1.",
        "No other key is in use.",
    ]
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", f"{SECOND},{KEYS}")
    answer = operator.run("reseal")
    assert (answer.code, answer.err) == (0, "")
    assert re.fullmatch(r"Encrypted \d+ values with the key k2\.", answer.lines[0])
    assert answer.lines[1] == "Retired: k1. Remove it from TALEWRIGHT_SEALING_KEYS everywhere."
    assert asyncio.run(read_step(SECOND)) == [("ask", "what the model said")]
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", SECOND)
    assert operator.read("reseal") == {"key": "k2", "values": 0, "unreadable": [], "retired": []}
    postgres_server.query("update campaigns set secret = set_byte(secret, 2, 120)", name)
    answer = operator.run("reseal")
    assert answer.code == 1
    assert "No key was retired." in answer.lines[-1]


def test_a_key_that_a_process_still_uses_is_not_retired(
    operator: Operator, redis: Redis, monkeypatch: pytest.MonkeyPatch, postgres_server: PostgresServer
) -> None:
    """A worker that was forgotten in the second step writes while everything is sealed again."""
    reseal, passes = reseal_database, count()

    async def begin() -> None:
        store = await connect(single_database(operator.url), parse_keys(f"{KEYS},{SECOND}"))
        await found(store, "ann", f"harbor-{next(passes)}")
        await store.close()

    async def write_meanwhile(connection: Any, keys: Any) -> Any:
        done = await reseal(connection, keys)
        await begin()
        return done

    monkeypatch.setattr(host_schema, "reseal_database", write_meanwhile)
    asyncio.run(begin())
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", f"{SECOND},{KEYS}")
    answer = operator.run("reseal")
    assert answer.code == 1
    assert answer.lines[-1].startswith("No key was retired. Check that every node and worker has this key")
    retired = "select count(*) from sealing_keys where retired is not null"
    assert postgres_server.query(retired, operator.url.rpartition("/")[2]).strip() == "0"


@pytest.fixture
def role(operator: Operator, postgres_server: PostgresServer) -> Iterator[str]:
    name = f"app_{operator.url.rpartition('/')[2]}"
    postgres_server.query(f"create role {name} login")
    yield name
    postgres_server.query(f"drop owned by {name}", operator.url.rpartition("/")[2])
    postgres_server.query(f"drop role {name}")


def test_a_role_may_do_what_nodes_do_and_nothing_else(
    operator: Operator, role: str, monkeypatch: pytest.MonkeyPatch, postgres_server: PostgresServer
) -> None:
    """That nodes and workers run with it, `test_host_commands` shows."""
    name, owned = operator.url.rpartition("/")[2], operator.url
    refused = "this role may not change it"
    monkeypatch.setenv("DATABASE_URL", owned.replace(f"{POSTGRES_USER}@", f"{role}@"))
    answer = operator.run("campaigns")
    assert answer.code == WRONG_USE
    assert refused in answer.err
    assert "talewright admin migrate --role" in answer.err
    monkeypatch.setenv("DATABASE_URL", owned)
    assert "there is no role 'nobody'" in operator.run("migrate", "--role", "nobody").err
    assert operator.run("migrate", "--role", role).lines == [
        "database 1: schema 8, applied 1, 2, 3, 4, 5, 6, 7, 8",
        f"database 1: granted what nodes and workers need to {role}",
    ]
    assert operator.read("migrate") == {"databases": [{"schema": 8, "applied": [], "roles": [role]}]}
    monkeypatch.setenv("DATABASE_URL", owned.replace(f"{POSTGRES_USER}@", f"{role}@"))
    assert operator.run("campaigns").code == 0

    async def check() -> None:
        connection = await asyncpg.connect(owned.replace(f"{POSTGRES_USER}@", f"{role}@"))
        for statement in (
            "create table mine (x int)",
            "create schema mine",
            "drop table records",
            "truncate records",
            "delete from records",
            "update records set line = 'x'",
            "delete from campaigns",
            "delete from schema_versions",
            "update sealing_keys set retired = now()",
            "delete from hosting.owners",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
        await connection.close()

    asyncio.run(check())
    tables = postgres_server.query("select relname from pg_class where relkind in ('r', 'p')", name).split()
    assert set(GRANTS) <= set(tables)
    # After an update, a process with this role waits for the operator.
    postgres_server.query("delete from schema_versions where version = 6", name)
    assert refused in operator.run("campaigns").err


def test_an_empty_owner_or_campaign_is_refused_and_nothing_is_deleted(
    operator: Operator, redis: Redis, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "harbor")
    kept = dump(postgres_server, operator.url)
    for words in (
        ("owner", "purge", "", "--yes"),
        ("owner", "export", "", str(tmp_path / "out")),
        ("owner", "token", ""),
        ("owner", "limits", "", "--dollars", "1"),
        ("owner", "remove", ""),
        ("campaign", "purge", "", "--owner", ann, "--yes"),
        ("campaign", "purge", "harbor", "--owner", "", "--yes"),
        ("campaigns", "--owner", ""),
        ("verify", "--owner", ""),
        ("verify", " "),
        ("workers", "--retire", ""),
    ):
        refused = operator.run(*words)
        assert refused.code == WRONG_USE, words
        assert "it is empty; say which one you mean" in refused.err, words
    assert not (tmp_path / "out").exists()
    assert dump(postgres_server, operator.url) == kept


def test_the_data_of_nobody_and_everybody_are_never_the_same(operator: Operator, redis: Redis) -> None:
    ann = add_owner(operator, "Ann")
    fill(operator, redis, ann, "harbor")

    async def run() -> None:
        data = HostData({"DATABASE_URL": operator.url})
        assert len(await data.list()) == 1
        assert await data.list("") == ()
        for work in (data.find_owner, data.list_owned, data.purge_owner):
            with pytest.raises(UnknownOwnerError):
                await work("")
        with pytest.raises(UnknownCampaignError):
            await data.purge_campaign("", ann)
        for scope in (("", None), (ann, "")):
            with pytest.raises(ValueError, match="without a name"):
                TraceScope(*scope)
        assert len(await data.list()) == 1

    asyncio.run(run())


def test_exported_campaigns_never_take_each_others_names() -> None:
    def store(name: str, number: int, removed: str | None) -> StoredCampaign:
        moment_of = datetime(2026, 1, 1, tzinfo=UTC)
        return StoredCampaign(UUID(int=number), "ann", name, {}, 1, 1, moment_of, removed, None)

    digits = "0" * 8
    stored = [
        store("harbor", 1, "then"),
        store("harbor", 2, "then"),
        store(f"harbor-removed-{digits}", 3, None),
        store("harbor", 4, None),
    ]
    names = name_saves(stored)
    assert sorted(one.id.int for one in names.values()) == [1, 2, 3, 4]
    assert names["harbor"].id.int == 4
    assert names[f"harbor-removed-{digits}"].id.int == 3
    assert all(is_campaign_name(name) for name in names)
