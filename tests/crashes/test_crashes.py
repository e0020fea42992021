"""Killed, raised, cancelled and hung before and after every crash point: nothing acknowledged is lost."""

import asyncio
from pathlib import Path

import pytest

from talewright.chronicle.records import MAIN
from talewright.crashpoints import POINTS, set_hook
from talewright.play.verify.campaign_verification import verify
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_outcomes import Committed
from tests.crashes.worlds import (
    CELLS,
    RECOVERY_SECONDS_MAX,
    Blow,
    Striker,
    found_campaign,
    make_road,
    play_again,
    play_outside,
    play_script,
    recover,
    strike,
)
from tests.plays.stage import CAMPAIGN, SECRET

pytestmark = pytest.mark.process


def play_straight(root: Path) -> tuple[str, set[str]]:
    striker = Striker("", lambda: None)

    async def main() -> str:
        await found_campaign(root, git=True)
        book = await FolderStore(root).open(CAMPAIGN)
        try:
            set_hook(striker)
            digest = await play_script(book)
            await play_outside(book)
            return digest
        finally:
            await book.close()
            set_hook(None)

    return asyncio.run(main()), set(striker.passed)


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


WRITES = [
    f"{side} {name}"
    for name in ("write accepted", "sync accepted", "write", "sync", "move head")
    for side in ("before", "after")
]
"""The ends of every write of a turn."""


@pytest.mark.parametrize("point", WRITES)
def test_a_retry_that_is_killed_leaves_the_old_turn_or_the_new_one(point: str, tmp_path: Path) -> None:
    async def begin() -> str:
        await found_campaign(tmp_path, git=False)
        book = await FolderStore(tmp_path, git=False).open(CAMPAIGN)
        done = await take_turn(make_road(book, ("He waits.",)), MAIN, Opening(), "op-1")
        assert isinstance(done, Committed)
        await book.close()
        return done.commit.id

    async def look(old: str) -> None:
        book = await FolderStore(tmp_path, git=False).open(CAMPAIGN)
        head = (await recall(make_road(book, ()), MAIN)).head
        assert (head.id, head.replaces) == (old, "") or head.replaces == old
        assert head.version == 1
        assert (await verify(book, secret=SECRET)).good
        await play_again(book)
        after = (await recall(make_road(book, ()), MAIN)).head
        # Where the retry was safe already, the same operation is not taken twice.
        assert (after.version, after.operation_id) == (1, "op-1 again")
        assert after.replaces == old
        await book.close()

    old = asyncio.run(begin())
    strike(tmp_path, False, point, Blow.KILL, play_again)
    asyncio.run(look(old))
