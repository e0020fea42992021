"""The servers of the tests: they start, survive kill -9 with what was written, and leave nothing behind."""

import asyncio
import os
import signal
import socket

import asyncpg
import pytest

from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from talewright_testkit.servers.server_process import (
    ServerMissingError,
    ServerProcess,
    ServerStartError,
    find_children,
    find_program,
)


def test_postgres_keeps_what_was_written_through_a_kill(postgres_server: PostgresServer) -> None:
    with running_postgres() as server:
        name = server.create_database()
        server.query("create table story (line text); insert into story values ('once')", name)
        port, pid, children = server.port, server.pid, find_children(server.pid)
        assert children, "a running server has children of its own"
        server.restart()
        assert server.port == port
        assert server.pid != pid
        assert not any(os.path.exists(f"/proc/{child}/exe") for child in children)
        assert server.query("select line from story", name) == "once\n"
        server.restart(signal.SIGINT)
        assert server.query("select line from story", name) == "once\n"
        folder = server.folder
    assert not folder.exists()


def test_each_database_is_fresh(database_url: str, postgres_server: PostgresServer) -> None:
    name = database_url.rpartition("/")[2]
    assert postgres_server.query("select count(*) from pg_tables where schemaname = 'public'", name) == "0\n"
    other = postgres_server.create_database()
    assert other != name
    postgres_server.query("create table kept (x int)", other)
    copy = postgres_server.create_database(template=other)
    assert postgres_server.query("select count(*) from kept", copy) == "0\n"
    assert "CREATE TABLE public.kept" in postgres_server.dump(copy)
    postgres_server.drop_database(copy)
    postgres_server.drop_database(other)


async def read_one(url: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("select 1")
    finally:
        await connection.close()


def test_asyncpg_connects(database_url: str) -> None:
    assert asyncio.run(read_one(database_url)) == 1


def test_redis_forgets_when_killed_and_when_flushed(redis_server: RedisServer, redis_url: str) -> None:
    assert redis_url == redis_server.url
    with running_redis() as server:
        assert server.send("SET name pier") == "+OK"
        assert server.send("EXISTS name") == ":1"
        server.flush()
        assert server.send("EXISTS name") == ":0"
        server.send("SET name pier")
        port = server.port
        server.restart()
        assert server.port == port
        assert server.send("EXISTS name") == ":0"


@pytest.mark.process
def test_a_frozen_server_answers_nobody_until_it_is_thawed() -> None:
    with running_redis() as server:
        server.freeze()
        # The kernel still accepts the connection; nobody reads from it.
        with pytest.raises(socket.timeout):
            server.send("PING")
        server.thaw()
        assert server.send("PING") == "+PONG"


@pytest.mark.process
def test_a_server_that_cannot_start_says_why() -> None:
    wrong = {"maxmemory": "x"}
    with pytest.raises(ServerStartError, match="redis-server did not start"), running_redis(wrong):
        pass


def test_a_missing_program_is_named_with_its_package() -> None:
    with pytest.raises(ServerMissingError, match="apt-get install redis-server"):
        find_program("no-such-redis", "redis-server")


@pytest.mark.process
def test_stopping_twice_and_starting_twice_do_nothing() -> None:
    with running_redis() as server:
        process: ServerProcess = server
        pid = process.pid
        process.start()
        assert process.pid == pid
        process.stop()
        process.stop()
        process.kill()
