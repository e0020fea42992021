"""Killed, raised, cancelled and hung before and after every crash point: nothing acknowledged is lost."""

import asyncio
from pathlib import Path

import pytest

from talewright.crashpoints import POINTS, set_hook
from talewright.stores.folder.folder_store import FolderStore
from tests.crashes.worlds import (
    CELLS,
    RECOVERY_SECONDS_MAX,
    Blow,
    Striker,
    found_campaign,
    play_script,
    recover,
    strike,
)
from tests.plays.stage import CAMPAIGN


def play_straight(root: Path) -> tuple[str, set[str]]:
    striker = Striker("", lambda: None)

    async def main() -> str:
        await found_campaign(root, git=True)
        book = await FolderStore(root).open(CAMPAIGN)
        try:
            set_hook(striker)
            return await play_script(book)
        finally:
            await book.close()
            set_hook(None)

    return asyncio.run(main()), striker.passed


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, set[str]]:
    return play_straight(tmp_path_factory.mktemp("straight"))


def test_every_point_is_passed(straight: tuple[str, set[str]]) -> None:
    wanted = {f"{side} {point}" for point in POINTS for side in ("before", "after")}
    assert wanted - straight[1] == set()
    assert straight[1] - wanted == set()


@pytest.mark.parametrize(("point", "blow"), CELLS)
def test_a_struck_world_is_recovered(
    point: str, blow: Blow, straight: tuple[str, set[str]], tmp_path: Path
) -> None:
    # Git is slow to start and matters at its own point only.
    git = "git" in point
    asyncio.run(found_campaign(tmp_path, git))
    strike(tmp_path, git, point, blow)
    seconds, digest = asyncio.run(recover(tmp_path, git))
    assert digest == straight[0]
    assert seconds < RECOVERY_SECONDS_MAX
