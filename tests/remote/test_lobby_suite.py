"""The remote lobby passes the suite that every lobby has to pass, by a real server in another process."""

import asyncio
from collections.abc import Iterator

import pytest

from talewright.play.lobby import Lobby
from talewright.remote.remote_lobby import RemoteLobby
from talewright.testing.lobby_suite import LOBBY_CHECKS, LobbyFactories
from tests.faces.http.serving import TOKEN, ServerProcess, serve_process

pytestmark = pytest.mark.process

GAME = "mist_harbor"


@pytest.fixture(scope="module", name="server")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serve_process(saves=str(tmp_path_factory.mktemp("saves"))) as server:
        yield server


@pytest.mark.parametrize("name", LOBBY_CHECKS)
def test_the_lobby_keeps_its_promises(name: str, server: ServerProcess) -> None:
    async def main() -> None:
        lobbies: list[RemoteLobby] = []

        async def open_there() -> Lobby:
            lobbies.append(RemoteLobby(server.url, TOKEN))
            return lobbies[-1]

        async def make() -> Lobby:
            lobby = await open_there()
            for campaign in await lobby.campaigns():
                await lobby.remove(campaign.name)
            return lobby

        try:
            await LOBBY_CHECKS[name](LobbyFactories(make, open_there, GAME))
        finally:
            for lobby in lobbies:
                await lobby.close()

    asyncio.run(main())
