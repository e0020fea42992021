"""Fixtures with real servers: one PostgreSQL and one Redis for all tests, and a fresh database for each.

Tests that kill a server start their own. Where the programs are missing, tests are skipped unless
TALEWRIGHT_SERVERS requires them.
"""

import os
from collections.abc import Iterator

import pytest

from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from talewright_testkit.servers.server_process import ServerMissingError

REQUIRED = "TALEWRIGHT_SERVERS"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The PostgreSQL server of all tests."""
    try:
        with running_postgres() as server:
            yield server
    except ServerMissingError as error:
        skip_or_fail(error)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """The Redis server of all tests."""
    try:
        with running_redis() as server:
            yield server
    except ServerMissingError as error:
        skip_or_fail(error)


@pytest.fixture
def database_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a fresh, empty database."""
    name = postgres_server.create_database()
    yield postgres_server.url(name)
    postgres_server.drop_database(name)


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of an empty Redis."""
    redis_server.flush()
    return redis_server.url


def skip_or_fail(error: ServerMissingError) -> None:
    """Skip a test whose server is not installed, unless it is required."""
    if os.environ.get(REQUIRED) == "required":
        raise error
    pytest.skip(str(error))
