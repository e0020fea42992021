"""The folder of a solo campaign whose story goes back and elsewhere: its pages are of the line it is on."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from talewright.play.sessions.store_session import StoreSession
from talewright.stores.folder.folder_store import FolderStore
from tests.opened import opened
from tests.play.making import make_lobby
from tests.stores.sessions import QUICK
from tests.turn.making import play_edition

TURNS = 9
"""Enough to sleep once."""


async def play(session: StoreSession, turns: int) -> None:
    """Take the first choice, turn after turn."""
    for _ in range(turns):
        await session.choose((await session.view()).choices[0].id)


async def look(session: StoreSession, folder: Path) -> tuple[Mapping[str, list[int]], Mapping[str, str]]:
    """The turns in each log, and the pages of the world."""
    await session.seat.afterwards.rest()
    logs = {
        path.name: sorted({json.loads(line)["turn"] for line in path.read_text().splitlines()})
        for path in sorted((folder / "logs").iterdir())
    }
    world = {path.name: path.read_text() for path in sorted((folder / "world").rglob("*.md"))}
    return logs, world


def test_pages_follow_the_story_back_and_over_and_back_again(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = replace(
            make_lobby(play_edition("games/solo")), store=FolderStore(tmp_path, git=False, disk=QUICK)
        )
        session = await opened(lobby.begin("solo", "en"))
        folder = tmp_path / "solo-1"
        await play(session, 3)
        early = await look(session, folder)
        commit = (await session.view()).head
        await play(session, TURNS - 3)
        late = await look(session, folder)
        assert sorted(turn for turns in late[0].values() for turn in turns) == list(range(1, TURNS + 2))
        assert any(name.startswith("day2") for name in late[0])
        assert set(early[1]) < set(late[1])

        # Another branch from the early turn: what came after it is not of that story.
        main = (await session.view()).branch
        await session.fork(commit, "otherwise")
        assert await look(session, folder) == early
        await session.choose((await session.view()).choices[1].id)
        assert sorted((await look(session, folder))[0]) != sorted(late[0])
        # Back to the first: every page is as it was.
        await session.switch(main)
        assert await look(session, folder) == late
        await session.undo(TURNS - 3)
        assert await look(session, folder) == early
        await session.close()

    asyncio.run(run())
