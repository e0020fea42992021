"""Plays on PostgreSQL: they end with the same records and the same chain as in memory."""

import pytest

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.store import Store
from talewright.stores.memory_store import MemoryStore
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import Stage
from tests.stores.postgres.stores import FreshStores, run_with

NAMES = ("01_harbor_first_turn", "10_outside", "11_decision", "12_errand_and_aside", "16_undo_and_otherwise")
"""A turn told by a model, one told by an outside narrator, cards, background work, and branches.

`bench/hosted_length.py` plays all of them.
"""


async def perform(name: str, store: Store) -> ChainEnd:
    """Play it; where its records end."""

    async def reopen() -> Store:
        return store

    stage = Stage(read_play(PLAYS / f"{name}.yaml"), reopen)
    await stage.perform()
    return await (await stage.book()).chain()


@pytest.mark.parametrize("name", NAMES)
def test_a_play_ends_the_same(name: str, postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        expected = await perform(name, MemoryStore())
        assert await perform(name, await stores.make()) == expected

    run_with(postgres_server, check)
