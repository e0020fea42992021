"""A server that is killed and started again: the words wait, and the client goes on by itself."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.play.news import DeltaNews, News, ResetNews
from talewright.play.session import ResultKind, wait_for_opening
from talewright.remote.remote_lobby import RemoteLobby
from talewright.remote.remote_session import RemoteSession
from talewright.testing.lobby_checks.lobby_fixtures import hear_end
from talewright.testing.lobby_checks.session_news_checks import read_text
from tests.faces.http.serving import TOKEN, ServerProcess, serve_process
from tests.remote.gated_server import AFTER, BEFORE, HEARD, LOBBY

pytestmark = pytest.mark.process

GAME = "mist_harbor"


@dataclass
class GatedServer:
    """A server process, and the gate of its model."""

    process: ServerProcess
    gate: Path

    async def restart(self) -> None:
        """Kill it without a warning, and start it again on the same port."""
        await asyncio.to_thread(self.process.kill)
        await asyncio.to_thread(self.process.start)

    async def begin(self, lobby: RemoteLobby) -> RemoteSession:
        """A campaign after its opening; the next turn stops in the middle."""
        self.gate.touch()
        session = await lobby.begin(GAME, "en")
        await wait_for_opening(session)
        self.gate.unlink()
        return session


@pytest.fixture(name="server")
def start_server(tmp_path: Path) -> Iterator[GatedServer]:
    gate = tmp_path / "gate"
    with serve_process(LOBBY, saves=str(tmp_path / "saves"), gate=str(gate)) as process:
        yield GatedServer(process, gate)


async def hear_half(watch: AsyncIterator[News]) -> list[News]:
    """The news of a turn up to the middle of its narration."""
    heard: list[News] = []
    async with asyncio.timeout(30):
        async for news in watch:
            heard.append(news)
            if isinstance(news.event, DeltaNews | ResetNews) and HEARD in read_text(heard):
                return heard
    raise AssertionError("the news ended")


def test_killed_in_mid_turn_and_started_again(server: GatedServer) -> None:
    async def main() -> None:
        lobby = RemoteLobby(server.process.url, TOKEN)
        session = await server.begin(lobby)
        watch = session.watch()
        saying = asyncio.ensure_future(session.say("I look at the lamp."))
        heard = await hear_half(watch)
        assert AFTER not in read_text(heard)
        server.gate.touch()
        await server.restart()
        result = await saying
        heard += await hear_end(watch)
        view = await session.view()
        assert (result.kind, result.commit) == (ResultKind.COMMITTED, view.head)
        assert view.turn is not None
        assert (view.version, view.turn.said) == (2, "I look at the lamp.")
        assert read_text(heard) == view.turn.narration
        assert BEFORE + AFTER in view.turn.narration
        assert len(await session.past.turns()) == 2
        await session.close()
        await lobby.close()

    asyncio.run(main())


def test_a_disconnect_stops_no_turn(server: GatedServer) -> None:
    async def main() -> None:
        lobby = RemoteLobby(server.process.url, TOKEN)
        session = await server.begin(lobby)
        watch = session.watch()
        saying = asyncio.ensure_future(session.say("I look at the lamp."))
        await hear_half(watch)
        saying.cancel()
        await session.close()
        await lobby.close()
        other = RemoteLobby(server.process.url, TOKEN)
        again = await other.open(session.requests.campaign)
        news = again.watch(0)
        await hear_end(news)
        server.gate.touch()
        heard = await hear_end(news)
        view = await again.view()
        assert view.turn is not None
        assert (view.version, view.turn.said) == (2, "I look at the lamp.")
        assert read_text(heard) == view.turn.narration
        await again.close()
        await other.close()

    asyncio.run(main())


def test_moves_that_wait_for_a_server_are_made_once(server: GatedServer) -> None:
    async def main() -> None:
        lobby = RemoteLobby(server.process.url, TOKEN)
        session = await server.begin(lobby)
        server.gate.touch()
        for _ in range(2):
            assert (await session.go_on()).kind is ResultKind.COMMITTED
        await asyncio.to_thread(server.process.kill)
        undoing = asyncio.ensure_future(session.undo())
        await asyncio.to_thread(server.process.start)
        assert (await undoing).version == 2
        assert (await session.view()).version == 2
        await session.close()
        await lobby.close()

    asyncio.run(main())
