"""The folder store: the suite of every store, with git and without."""

import asyncio
from pathlib import Path

import pytest

from talewright.chronicle.store import Store
from talewright.stores.folder.folder_store import FolderStore
from talewright.testing.store_checks.store_fixtures import StoreFactories
from talewright.testing.store_suite import STORE_CHECKS


def make_ground(folder: Path, git: bool) -> StoreFactories:
    """Stores in new folders, beneath one."""
    places: list[Path] = []

    async def make() -> Store:
        places.append(folder / f"place {len(places)}")
        return FolderStore(places[-1], git=git)

    async def reopen() -> Store:
        return FolderStore(places[-1], git=git)

    return StoreFactories(make, reopen)


@pytest.mark.parametrize("git", [False, True], ids=["plain", "git"])
@pytest.mark.parametrize("name", STORE_CHECKS)
def test_suite(name: str, git: bool, tmp_path: Path) -> None:
    asyncio.run(STORE_CHECKS[name](make_ground(tmp_path, git)))
