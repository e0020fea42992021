"""A turn told by scenes through the remote lobby, against the same turn on a session in this process.

Both have a folder of their own, and a watcher of the news; the server is a process of its own. A turn is what
a face waits for: the choice, its end in the news, and the view after it. Turns alternate.
"""

import asyncio
import statistics
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter

from bench.figures import at_most, report
from talewright.bootstrap import open_lobby
from talewright.play.lobby import Lobby
from talewright.play.news import News
from talewright.play.session import Session, wait_for_opening
from talewright.remote.remote_lobby import RemoteLobby
from tests.faces.http.serving import TOKEN, serve_process

TURNS = 60
WARM_UP = 6
"""Turns that are not counted."""

RATIO_MAX = 1.15
GAME = "mist_harbor"
LOBBY = "bench.http_remote:make_lobby"


def make_lobby(saves: str) -> object:
    """The lobby of the server, with the pages and their git history, as a player has it."""
    return open_lobby(Path(saves), language="en")


async def take_turn(session: Session, watch: AsyncIterator[News]) -> float:
    """Milliseconds of one turn; the story starts again where it ends."""
    view = await session.view()
    if view.end is not None or not view.choices:
        view = await session.undo(view.version)
    choice = view.choices[view.version % len(view.choices)].id
    started = perf_counter()
    result = await session.choose(choice)
    async for news in watch:
        if news.ends_turn and news.operation_id == result.operation_id:
            break
    await session.view()
    return (perf_counter() - started) * 1000


async def measure(url: str, saves: Path) -> tuple[list[float], list[float]]:
    """Milliseconds of every turn: in this process, and through the server."""
    remote = RemoteLobby(url, TOKEN)
    sessions: list[Session] = []
    lobbies: tuple[Lobby, ...] = (open_lobby(saves, language="en"), remote)
    for lobby in lobbies:
        session = await lobby.begin(GAME, "en")
        await wait_for_opening(session)
        sessions.append(session)
    watches = [session.watch() for session in sessions]
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(WARM_UP + TURNS):
        for at in (0, 1) if number % 2 else (1, 0):
            seconds = await take_turn(sessions[at], watches[at])
            if number >= WARM_UP:
                taken[at].append(seconds)
    for session in sessions:
        await session.close()
    await remote.close()
    return taken


def main() -> int:
    """The bench."""
    with tempfile.TemporaryDirectory() as folder, serve_process(LOBBY, saves=f"{folder}/there") as server:
        here, there = asyncio.run(measure(server.url, Path(folder) / "here"))
    local, remote = statistics.median(here), statistics.median(there)
    print(f"a turn takes {local:.1f} ms in this process and {remote:.1f} ms through a server")
    return report([at_most("remote_turn_vs_local", remote / local, RATIO_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
