"""What a power failure must not take: every file and every name is synced before it is relied on.

And what nobody else on the machine may read: the folder of a campaign.
"""

import asyncio
import errno
import os
from pathlib import Path

import pytest

from talewright.chronicle.store import BlobKind
from talewright.stores.folder.disk import put_file, set_aside, write_file
from talewright.stores.folder.log_recovery import recover_log
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    QuickDisk,
    begin,
    find_frames,
    make_try,
    make_turn,
    make_wish,
    open_store,
    write_turns,
)


class RecordingDisk(QuickDisk):
    """Writes down what is synced, and what it was renamed to or cut before that."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def sync(self, file: int) -> None:
        self.steps.append(f"sync {Path(os.readlink(f'/proc/self/fd/{file}')).name}")

    def sync_data(self, file: int) -> None:
        self.steps.append(f"sync data {Path(os.readlink(f'/proc/self/fd/{file}')).name}")

    def sync_folder(self, path: Path) -> None:
        self.steps.append(f"sync folder {path.name}")

    def replace(self, source: Path, target: Path) -> None:
        self.steps.append(f"rename to {target.name}")
        super().replace(source, target)

    def move_folder(self, source: Path, target: Path) -> None:
        self.steps.append(f"move to {target.name}")
        super().move_folder(source, target)

    def truncate(self, file: int, size: int) -> None:
        self.steps.append("cut")
        super().truncate(file, size)


@pytest.fixture
def disk() -> RecordingDisk:
    return RecordingDisk()


def test_a_new_campaign_is_on_the_disk_before_it_has_its_name(tmp_path: Path, disk: RecordingDisk) -> None:
    asyncio.run(begin(open_store(tmp_path, disk)))
    steps = disk.steps[: disk.steps.index(f"sync folder {tmp_path.name}") + 1]
    assert steps[:5] == [
        "sync chronicle.jsonl",
        "sync secret",
        "sync campaign.json",
        "sync .gitignore",
        "sync lock",
    ]
    assert steps[5].startswith("sync folder .founding-")
    assert steps[6:] == [f"move to {CAMPAIGN}", f"sync folder {tmp_path.name}"]


def test_nobody_else_may_look_into_a_campaign(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        asyncio.run(begin(open_store(tmp_path)))
    finally:
        os.umask(before)
    folder = tmp_path / CAMPAIGN
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600


def test_a_file_is_synced_before_and_its_name_after_it_is_put_in_place(
    tmp_path: Path, disk: RecordingDisk
) -> None:
    put_file(disk, tmp_path / "a", b"1")
    new = f"a.{os.getpid()}.new"
    assert disk.steps == [f"sync {new}", "rename to a", f"sync folder {tmp_path.name}"]
    disk.steps.clear()
    write_file(disk, tmp_path / "b", b"1")
    assert disk.steps == ["sync b"]
    disk.steps.clear()
    set_aside(disk, tmp_path / "a", tmp_path / "aside", "a")
    assert disk.steps == ["rename to a", "sync folder aside", f"sync folder {tmp_path.name}"]


def test_what_is_set_aside_takes_the_place_of_nothing(tmp_path: Path) -> None:
    for text in (b"first", b"second", b"third"):
        (tmp_path / "a").write_bytes(text)
        set_aside(QUICK, tmp_path / "a", tmp_path / "aside", "a")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "aside").iterdir()}
    assert kept == {"a": b"first", "a.2": b"second", "a.3": b"third"}


def test_records_and_blobs_are_on_the_disk_when_they_are_acknowledged(
    tmp_path: Path, disk: RecordingDisk
) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path, disk))
        disk.steps.clear()
        await book.keep(BlobKind.SNAPSHOT, "c0", {"state": 1})
        new = f"c0.json.{os.getpid()}.new"
        assert disk.steps == [f"sync {new}", "rename to c0.json", "sync folder snapshots"]
        await book.close()

    asyncio.run(scene())


def test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged(
    tmp_path: Path, disk: RecordingDisk
) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path, disk))
        disk.steps.clear()
        await book.accept(make_wish(1))
        assert disk.steps == ["sync data chronicle.jsonl"]
        disk.steps.clear()
        await book.commit(make_turn(1), make_try(1))
        assert disk.steps[0] == "sync data chronicle.jsonl"
        await book.close()

    asyncio.run(scene())


def test_a_torn_record_is_kept_before_it_is_cut_off(tmp_path: Path, disk: RecordingDisk) -> None:
    asyncio.run(write_turns(tmp_path, 2))
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    good = chronicle.read_bytes()
    chronicle.write_bytes(good[: find_frames(good)[-2] + 30])

    async def scene() -> None:
        await (await open_store(tmp_path, disk).open(CAMPAIGN)).close()

    asyncio.run(scene())
    steps = disk.steps[: disk.steps.index("cut") + 2]
    assert steps[0] == "sync data chronicle.jsonl"
    assert steps[1].endswith(".torn")
    assert steps[2:] == [
        "sync folder set-aside",
        f"sync folder {CAMPAIGN}",
        "cut",
        "sync chronicle.jsonl",
    ]


def test_a_recovery_is_on_the_disk_before_the_damaged_file_is_exchanged(
    tmp_path: Path, disk: RecordingDisk
) -> None:
    asyncio.run(write_turns(tmp_path, 2))
    chronicle = tmp_path / CAMPAIGN / "chronicle.jsonl"
    good = chronicle.read_bytes()
    chronicle.write_bytes(good[:-9] + b"x" + good[-8:])
    recover_log(tmp_path / CAMPAIGN, disk=disk, git=False)
    assert disk.steps[:5] == [
        "sync chronicle.jsonl.new",
        "sync 1-chronicle.jsonl",
        "sync folder set-aside",
        "rename to chronicle.jsonl",
        f"sync folder {CAMPAIGN}",
    ]


class FullDisk(QuickDisk):
    """A disk on which no new file can be made."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().open(path, flags, mode)


def test_whoever_puts_a_file_on_a_full_disk_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left on device"):
        put_file(FullDisk(), tmp_path / "a", b"1")
    assert list(tmp_path.iterdir()) == []
