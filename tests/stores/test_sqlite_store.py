"""A store in SQL: it passes the suite of every store, in few lines, with the same chain as the others."""

import asyncio
from pathlib import Path

import pytest

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.store import Store
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.memory_store import MemoryStore
from talewright.testing.store_checks.store_fixtures import (
    StoreFactories,
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
)
from talewright.testing.store_suite import STORE_CHECKS
from tests.stores import sqlite_store
from tests.stores.sqlite_store import SqliteStore

LINES_MAX = 250


def make_ground(folder: Path) -> StoreFactories:
    """Stores in new files, beneath one folder."""
    places: list[Path] = []

    async def make() -> Store:
        places.append(folder / f"place {len(places)}.sqlite")
        return SqliteStore(places[-1])

    async def reopen() -> Store:
        return SqliteStore(places[-1])

    return StoreFactories(make, reopen)


@pytest.mark.parametrize("name", STORE_CHECKS)
def test_suite(name: str, tmp_path: Path) -> None:
    asyncio.run(STORE_CHECKS[name](make_ground(tmp_path)))


def test_it_is_small() -> None:
    code = [line for line in Path(sqlite_store.__file__).read_text("utf-8").splitlines() if line.strip()]
    assert len(code) < LINES_MAX


def test_every_store_gives_the_same_chain(tmp_path: Path) -> None:
    async def write(store: Store) -> ChainEnd:
        founding = make_founding("harbor")
        book = await store.found(founding)
        turn = make_turn(founding.root, "first")
        await book.accept(make_input(turn))
        await book.commit(turn, make_attempt(turn))
        await book.add(make_aside(turn, "aside"))
        chain = await book.chain()
        await book.close()
        return chain

    stores = (MemoryStore(), FolderStore(tmp_path / "folder", git=False), SqliteStore(tmp_path / "sqlite"))
    chains = [asyncio.run(write(store)) for store in stores]
    assert chains == [chains[0]] * 3
    assert chains[0].length == 5
