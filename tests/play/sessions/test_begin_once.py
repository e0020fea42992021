"""Campaigns begun by an operation id: the same id, the same campaign, in every process, after any crash."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.chronicle.store import NameTakenError, UnknownCampaignError
from talewright.play.campaign_view import Viewer
from talewright.play.master_desk import OutsideTurnView
from talewright.play.session import Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.folder_store import FolderStore
from tests.play.making import SettledLobby, clock, make_lobby, names
from tests.play.scenes import room


def folder_lobby(folder: Path, seed: int = 0, disk: Disk | None = None) -> SettledLobby:
    """A lobby on a folder, as one process has it."""
    memory = make_lobby(room())
    return SettledLobby(
        store=FolderStore(folder, git=False, disk=disk or Disk()),
        shelf=memory.shelf,
        now=clock(),
        new_id=names(seed),
        new_secret=lambda: bytes([seed]) * 32,
    )


async def begin(lobby: StoreLobby, operation: str, role: Viewer = Viewer.MASTER) -> str:
    session = await lobby.begin("test", "en", role=role, operation_id=operation)
    campaign = (await session.view()).campaign
    await session.close()
    return campaign


def test_the_same_operation_begins_one_campaign() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        first = await lobby.begin("test", "en", role=Viewer.MASTER, operation_id="op")
        named = (await first.view()).campaign
        again = await lobby.begin("test", "zh-CN", role=Viewer.MASTER, operation_id="op")
        assert (await again.view()).campaign == named
        assert (await again.view()).head == (await first.view()).head
        other = await lobby.begin("test", "en", role=Viewer.MASTER, operation_id="another")
        assert (await other.view()).campaign != named
        assert sorted(one.name for one in await lobby.campaigns()) == sorted(
            [named, (await other.view()).campaign]
        )

    asyncio.run(main())


def test_a_campaign_that_was_played_on_is_opened_where_it_is() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        first = await lobby.begin("test", "en", operation_id="op")
        await first.choose((await first.view()).choices[0].id)
        head = (await first.view()).head
        again = await lobby.begin("test", "en", operation_id="op")
        assert (await again.view()).head == head

    asyncio.run(main())


def test_a_turn_may_have_the_same_operation_id() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test", "en", role=Viewer.MASTER, operation_id="op")
        opened = await session.master.begin("", Stamp("op"))
        assert isinstance(opened, OutsideTurnView)

    asyncio.run(main())


def test_a_name_that_something_else_has_is_refused() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await lobby.begin("test", "en", "mine")
        with pytest.raises(NameTakenError) as caught:
            await lobby.begin("test", "en", "mine", operation_id="op")
        assert "another operation began it" in caught.value.message
        assert "operation id" in caught.value.hint
        await lobby.begin("test", "en", "yours", operation_id="op")
        session = await lobby.begin("test", "en", "yours", operation_id="op")
        assert (await session.view()).campaign == "yours"
        with pytest.raises(NameTakenError):
            await lobby.begin("test", "en", "yours")

    asyncio.run(main())


class Rival(Disk):
    """A disk on which another process begins the same campaign just before this one's appears."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.named = ""

    def move_folder(self, source: Path, target: Path) -> None:
        if not self.named:
            self.named = target.name
            code = "from tests.play.sessions.test_begin_once import main; main()"
            subprocess.run([sys.executable, "-c", code, str(self.folder), "op", "7"], check=True)
        os.rename(source, target)


def main() -> None:
    """Begin a campaign in a process of its own, and print its name."""
    folder, operation, seed = sys.argv[1:]
    print(json.dumps(asyncio.run(begin(folder_lobby(Path(folder), int(seed)), operation))))


@pytest.mark.process
def test_of_two_processes_at_once_one_begins(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = folder_lobby(tmp_path, 1, Rival(tmp_path))
        session = await lobby.begin("test", "en", role=Viewer.MASTER, operation_id="op")
        assert [one.name for one in await lobby.campaigns()] == [(await session.view()).campaign]
        book = await lobby.store.open((await session.view()).campaign)
        assert await book.secret() == bytes([7]) * 32, "the other process was first"

    asyncio.run(run())


@pytest.mark.process
def test_processes_that_race_agree(tmp_path: Path) -> None:
    code = "from tests.play.sessions.test_begin_once import main; main()"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), "op", str(seed)], stdout=subprocess.PIPE, text=True
        )
        for seed in range(1, 4)
    ]
    told = {racer.communicate(timeout=60)[0] for racer in racers}
    assert len(told) == 1
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [json.loads(told.pop())]


class Killed(BaseException):
    """The process dies here."""


class KillingDisk(Disk):
    """A disk whose process dies at its n-th call that writes."""

    def __init__(self, at: int) -> None:
        self.left = at

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def write(self, file: int, data: bytes | memoryview) -> int:
        self._count()
        return os.write(file, data)

    def move_folder(self, source: Path, target: Path) -> None:
        self._count()
        os.rename(source, target)

    def sync_folder(self, path: Path) -> None:
        self._count()


def test_a_process_killed_anywhere_leaves_one_campaign_or_none(tmp_path: Path) -> None:
    met = set()
    for at in range(40):
        folder = tmp_path / str(at)
        try:
            asyncio.run(begin(folder_lobby(folder, 1, KillingDisk(at)), "op"))
            met.add("ended")
        except Killed:
            met.add("killed")
        named = asyncio.run(begin(folder_lobby(folder, 2), "op"))
        lobby = folder_lobby(folder, 3)
        assert [one.name for one in asyncio.run(lobby.campaigns())] == [named]
        assert asyncio.run(begin(lobby, "op")) == named
        if met == {"killed", "ended"}:
            break
    assert met == {"killed", "ended"}


def test_a_removed_campaign_may_begin_again() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        named = await begin(lobby, "op")
        await lobby.remove(named)
        with pytest.raises(UnknownCampaignError):
            await lobby.open(named)
        assert await begin(lobby, "op") == named

    asyncio.run(main())
