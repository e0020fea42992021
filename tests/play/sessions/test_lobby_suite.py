"""The local lobby passes the suite that every lobby has to pass."""

import asyncio
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.play.lobby import Lobby
from talewright.testing.lobby_suite import LOBBY_CHECKS, LobbyFactories

GAME = "mist_harbor"


@pytest.mark.parametrize("name", LOBBY_CHECKS)
def test_the_lobby_keeps_its_promises(name: str, tmp_path: Path) -> None:
    async def open_there() -> Lobby:
        return open_lobby(tmp_path, git=False)

    asyncio.run(LOBBY_CHECKS[name](LobbyFactories(open_there, open_there, GAME)))
