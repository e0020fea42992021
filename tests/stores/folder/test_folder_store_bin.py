"""The bin of a folder store: campaigns move there whole, whoever plays them, and can be moved back."""

import asyncio
import errno
from pathlib import Path

import pytest

from talewright.chronicle.store import UnsavedError
from talewright.stores.folder.disk import LAST, Disk
from talewright.stores.folder.folder_store import BIN, FolderStore
from talewright.testing.store_checks.store_fixtures import make_attempt, make_founding, make_input, make_turn

NOW = "2026-11-15T08:01:02.123456Z"


def test_a_campaign_lies_in_the_bin_with_all_it_had_and_can_be_moved_back(tmp_path: Path) -> None:
    async def main() -> None:
        store = FolderStore(tmp_path, git=False)
        founding = make_founding("harbor")
        book = await store.found(founding)
        turn = make_turn(founding.root, "first")
        await book.commit(turn, make_attempt(turn))
        written = [record async for record in book.records()]
        await book.close()
        place = Path(await store.remove("harbor", NOW))
        assert place == tmp_path / BIN / "harbor-20261115T080102"
        assert {path.name for path in tmp_path.iterdir()} - {LAST} == {BIN}
        assert await store.campaigns() == ()
        place.rename(tmp_path / "back")
        book = await store.open("back")
        assert [record async for record in book.records()] == written
        await book.close()

    asyncio.run(main())


def test_whoever_plays_it_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async def main() -> None:
        store = FolderStore(tmp_path, git=False)
        founding = make_founding("harbor")
        book = await store.found(founding)
        await store.remove("harbor", NOW)
        with pytest.raises(UnsavedError, match="'harbor' was removed or moved while it was open") as caught:
            await book.accept(make_input(make_turn(founding.root, "late")))
        assert str(tmp_path) in caught.value.hint
        await book.close()
        assert {path.name for path in tmp_path.iterdir()} - {LAST} == {BIN}

    asyncio.run(main())


@pytest.mark.parametrize("lost", ["chronicle.jsonl", "lock", "campaign.json"])
def test_a_damaged_campaign_can_be_removed(tmp_path: Path, lost: str) -> None:
    async def main() -> None:
        store = FolderStore(tmp_path, git=False)
        await (await store.found(make_founding("harbor"))).close()
        file = tmp_path / "harbor" / lost
        file.unlink()
        if lost == "lock":
            # Not even a lock can be made where a folder has its name.
            file.mkdir()
        assert Path(await store.remove("harbor", NOW)).is_dir()
        assert await store.campaigns() == ()

    asyncio.run(main())


class Refusing(Disk):
    """A disk that does not let folders be moved; at first because somebody was faster."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def move_folder(self, source: Path, target: Path) -> None:
        if self.numbers:
            raise OSError(self.numbers.pop(0), "refused")
        super().move_folder(source, target)


def test_a_disk_that_refuses_changes_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        await (await FolderStore(tmp_path, git=False).found(make_founding("harbor"))).close()
        store = FolderStore(tmp_path, git=False, disk=Refusing(errno.EACCES))
        with pytest.raises(UnsavedError, match="'harbor' could not be moved to the bin: refused"):
            await store.remove("harbor", NOW)
        (listed,) = await store.campaigns()
        assert (listed.campaign, listed.damaged) == ("harbor", False)
        await (await store.open("harbor")).close()

    asyncio.run(main())


def test_another_that_was_faster_keeps_its_place(tmp_path: Path) -> None:
    async def main() -> None:
        await (await FolderStore(tmp_path, git=False).found(make_founding("harbor"))).close()
        store = FolderStore(tmp_path, git=False, disk=Refusing(errno.ENOTEMPTY))
        assert (await store.remove("harbor", NOW)).endswith("-2")

    asyncio.run(main())
