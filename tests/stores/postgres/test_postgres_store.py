"""The PostgreSQL store passes the suite of every store, with the same chain as the others."""

import pytest

from talewright.testing.store_checks.store_fixtures import StoreFactories
from talewright.testing.store_suite import STORE_CHECKS
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import FreshStores, run_with

OWNERS = "campaigns in pages"
"""The one check with several owners."""


@pytest.mark.parametrize("name", STORE_CHECKS)
def test_suite(name: str, postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        make = stores.make_alone if name == OWNERS else stores.make
        await STORE_CHECKS[name](StoreFactories(make, stores.reopen))

    run_with(postgres_server, check)
