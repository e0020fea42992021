"""The backup drill: dumped by the commands of the page, restored into a fresh server, equal hash by hash."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from talewright.bootstrap.hosting.host_transfer import open_host_store, push_from_folder
from talewright.chronicle.chained_lines import ChainEnd
from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.turn_jobs import TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.shards import parse_shards
from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer
from tests.cli.campaigns import NAME, make_saves
from tests.deploy.test_deploy_files import SERVICES
from tests.hosting.added_owners import add_owners
from tests.hosting.page_commands import BACKUP_PAGE, find_lines, run_line
from tests.warm_homes import warm

KEYS = "k1:" + "A" * 43 + "="
OWNER = "ann"
OWNERS = ("ann", "bob")
"""One of each half of the shards."""

JOB = TurnJob(OWNER, NAME, "op-1", "c" * 40, 0)


async def read_chain(environment: dict[str, str]) -> ChainEnd:
    async with open_host_store(environment) as store:
        book = await store.for_owner(OWNER).open(NAME)
        end = await book.chain()
        await book.close()
        return end


async def fill(saves: Path, environment: dict[str, str]) -> None:
    """A campaign, and a turn that no worker has taken."""
    from dbos import run_dbos_database_migrations

    await push_from_folder(saves, environment, NAME, OWNER, NAME)
    url = environment["DATABASE_URL"]
    await asyncio.to_thread(run_dbos_database_migrations, system_database_url=make_database_url(url))
    queue = TurnQueue(url, pool_size=1)
    await queue.order_turn(JOB)
    await queue.close()


async def find_open_turns(url: str) -> list[str]:
    queue = TurnQueue(url, pool_size=1)
    found = [one.workflow for one in await queue.list_open()]
    await queue.close()
    return found


def test_a_dump_restores_every_hash_on_a_fresh_server(
    tmp_path: Path,
    postgres_server: PostgresServer,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    make_saves(tmp_path / "saves")
    old = postgres_server.create_database()
    settings = {"TALEWRIGHT_SEALING_KEYS": KEYS, "DATABASE_URL": postgres_server.url(old)}
    add_owners(settings["DATABASE_URL"], OWNER)
    asyncio.run(fill(tmp_path / "saves", settings))
    before = asyncio.run(read_chain(settings))
    for line in find_lines(BACKUP_PAGE, "Back up"):
        run_line(line, tmp_path, settings)
    dump = (tmp_path / "tales.dump").read_bytes()
    assert b"lantern" not in dump.lower()
    postgres_server.drop_database(old)
    with running_postgres() as fresh:
        restored = settings | {
            "SERVER_URL": fresh.url(),
            "DATABASE_URL": fresh.url("tales"),
            "REDIS_URL": redis_server.url,
        }
        told = [run_line(line, tmp_path, restored) for line in find_lines(BACKUP_PAGE, "Restore")]
        assert asyncio.run(read_chain(restored)) == before
        assert any(f"{OWNER}/{NAME}: 8 of 8 turns are proven" in said for said in told)
        assert asyncio.run(find_open_turns(fresh.url("tales"))) == [JOB.workflow]
        # A restored host can be backed up again.
        run_line(find_lines(BACKUP_PAGE, "Back up")[0], tmp_path, restored)


async def push_to_both(saves: Path, environment: dict[str, str]) -> None:
    for owner in OWNERS:
        await push_from_folder(saves, environment, NAME, owner, NAME)


async def read_chains(environment: dict[str, str]) -> list[ChainEnd]:
    async with open_host_store(environment) as store:
        books = [await store.for_owner(owner).open(NAME) for owner in OWNERS]
        ends = [await book.chain() for book in books]
        for book in books:
            await book.close()
        return ends


def test_several_databases_are_dumped_and_restored_one_by_one(
    tmp_path: Path, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    make_saves(tmp_path / "saves")
    old = [postgres_server.create_database() for _ in OWNERS]
    settings = {"TALEWRIGHT_SEALING_KEYS": KEYS, "DATABASE_URL": list_shards(map(postgres_server.url, old))}
    assert [parse_shards(settings["DATABASE_URL"]).index_of(owner) for owner in OWNERS] == [0, 1]
    add_owners(postgres_server.url(old[0]), *OWNERS)
    asyncio.run(push_to_both(tmp_path / "saves", settings))
    before = asyncio.run(read_chains(settings))
    lines = find_lines(BACKUP_PAGE, "Several databases")
    for line in lines:
        if line.startswith("pg_dump"):
            run_line(name_servers(line, [postgres_server.url(name) for name in old]), tmp_path, settings)
    for name in old:
        postgres_server.drop_database(name)
    with running_postgres() as one, running_postgres() as two:
        fresh = [server.url("tales") for server in (one, two)]
        for line in lines:
            if not line.startswith("pg_dump"):
                run_line(name_servers(line, fresh), tmp_path, settings)
        restored = settings | {"DATABASE_URL": list_shards(fresh)}
        assert asyncio.run(read_chains(restored)) == before
        (verification,) = [
            line for line in find_lines(BACKUP_PAGE, "Restore") if line.startswith("talewright")
        ]
        told = run_line(verification, tmp_path, restored)
        assert all(f"{owner}/{NAME}: 8 of 8 turns are proven" in told for owner in OWNERS)


def list_shards(urls: Iterable[str]) -> str:
    """Two databases, with the shards that the page about hosting gives them."""
    one, two = urls
    return f"0-239={one} 240-479={two}"


def name_servers(line: str, urls: list[str]) -> str:
    """A command with the addresses of real servers for those of the page."""
    for place, url in zip(("postgresql://one/", "postgresql://two/"), urls, strict=True):
        line = line.replace(f"{place}tales", url).replace(
            f"{place}postgres", re.sub(r"/[^/]*$", "/postgres", url)
        )
    return line


def test_the_dump_in_a_container_is_that_of_the_compose_file() -> None:
    (line,) = [one for one in BACKUP_PAGE.read_text("utf-8").splitlines() if one.startswith("docker ")]
    words = line.split()
    service = SERVICES[words[words.index("-T") + 1]]
    assert f"--username={service['environment']['POSTGRES_USER']}" in words
    assert words[words.index(">") - 1] == service["environment"]["POSTGRES_DB"]


def test_the_page_has_the_commands_of_a_drill() -> None:
    assert [line.split()[0] for line in find_lines(BACKUP_PAGE, "Back up")] == ["pg_dump"]
    assert [line.split()[0] for line in find_lines(BACKUP_PAGE, "Restore")] == [
        "export",
        "export",
        "createdb",
        "psql",
        "pg_restore",
        "talewright",
        "redis-cli",
    ]
