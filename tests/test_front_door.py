"""The front door: `from talewright import open_lobby` is cheap, and opens what the command would open."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

import talewright
from talewright.errors import TalewrightError
from talewright.play.lobby import Lobby
from talewright.play.sessions.store_lobby import StoreLobby

LOADED = "import sys, talewright; print(*sorted(one for one in sys.modules if one.startswith('talewright')))"


@pytest.fixture(name="home", autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(tmp_path))
    monkeypatch.delenv("TALEWRIGHT_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.process
def test_importing_the_package_loads_no_room() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["talewright", "talewright.version"]


async def list_campaigns(lobby: Lobby) -> list[str]:
    return [info.name for info in await lobby.campaigns()]


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.process
def test_campaigns_are_in_the_folder_that_is_named(home: Path, *, as_text: bool) -> None:
    async def main() -> None:
        folder = home / "here"
        async with talewright.open_lobby(str(folder) if as_text else folder) as lobby:
            async with await lobby.begin("chapel_watch", "en") as session:
                await asyncio.wait_for(anext(session.play(session.opening)), 20)
            assert await list_campaigns(lobby) == ["chapel_watch-1"]
        async with talewright.open_lobby(folder) as again, await again.open("chapel_watch-1") as session:
            assert (await session.view()).game == "chapel_watch"
        async with talewright.open_lobby() as usual:
            assert await list_campaigns(usual) == []

    asyncio.run(main())


def test_the_model_of_the_settings_narrates_unless_told_otherwise(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_hire(model: str) -> bool:
        async with talewright.open_lobby(home, model=model) as lobby:
            assert isinstance(lobby, StoreLobby)
            return lobby.hire is not None

    assert not asyncio.run(find_hire(""))
    monkeypatch.setenv("TALEWRIGHT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TALEWRIGHT_MODEL", "small")
    assert asyncio.run(find_hire(""))
    assert asyncio.run(find_hire("small"))
    assert not asyncio.run(find_hire("none"))


def test_an_error_in_the_block_is_not_swallowed() -> None:
    async def main() -> None:
        async with talewright.open_lobby() as lobby:
            await lobby.open("no-such-campaign")

    with pytest.raises(TalewrightError):
        asyncio.run(main())
