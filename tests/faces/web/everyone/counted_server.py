"""A server in a process of its own that counts its streams, with lobbies for the tests of this folder.

Its model waits while there is a file `hold` among the saves, so that a test can look at a turn half told.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

from talewright.bootstrap import (
    installed_systems,
    new_id,
    open_game_library,
    open_lobby,
    user_places,
    utc_now,
)
from talewright.bootstrap.mcp_launcher import find_token, listen
from talewright.bootstrap.serving import server_launcher
from talewright.bootstrap.serving.folder_workbench import FolderWorkbench
from talewright.faces.web.offline import offline_copies
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request, ToolCall
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.turn.turn_context import Teller
from tests.faces.web.chromium import ROOT, SECRET, TOKEN, ServedPages, close_nothing
from tests.faces.web.everyone.stream_counter import StreamCounter
from tests.play.making import make_lobby
from tests.play.serving.tried_models import TriedModels
from tests.privacy import Narrator, canary_edition

SCENES = "scenes"
PART_TURNS = 2
HOLD = "hold"
SENT = "sent"
"""The file with everything that the server has sent."""

CHUNKS_HELD = 20
CANARY_SEED = 21021
STORY = "\n\n".join(
    f"The {count} wave comes in over the stones, *slowly*, and takes back what it had brought."
    for count in ("first", "second", "third", "fourth")
)


CHECK = ToolCall(
    "call-1",
    "roll_check",
    json.dumps(
        {
            "action_dice": 1,
            "danger_dice": 1,
            "context": "Haul the ferry in before the ice has it",
            "action_tags": [],
            "danger_tags": ["flooded margin"],
        }
    ),
)
"""What the model asks for once, when a rope is thrown."""


class HeldModel(Scripted):
    """A model that tells the same story again and again, and only its beginning while a file is there."""

    def __init__(self, hold: Path) -> None:
        profile = Profile("scripted", context_tokens=128_000)
        super().__init__(self._reply, profile=profile, cut=by(6))
        self._hold = hold
        self._pending = [CHECK]

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the reply, piece by piece."""
        told = 0
        async for chunk in super().stream(request):
            told += 1
            while told > CHUNKS_HELD and self._hold.exists():
                await asyncio.sleep(0.01)
            yield chunk

    def _reply(self, request: Request) -> ScriptedReply:
        thrown = any("the rope" in message.text for message in request.messages)
        return ScriptedReply(STORY, (self._pending.pop(),) if thrown and self._pending else ())


def make_told_lobby(saves: Path, kind: str) -> StoreLobby:
    """A lobby with a model that can be held, with a game full of canaries, or with scenes only."""
    if kind == "canaries":
        told = Scripted(Narrator(CANARY_SEED), cut=by(7))
        return make_lobby(canary_edition(), teller=Teller(told), language="en", seed=CANARY_SEED)
    lobby = open_lobby(saves, git=False, language="en", secret=SECRET)
    return replace(lobby, teller=Teller(HeldModel(saves / HOLD))) if kind == "held" else lobby


class CountedServer(ServedPages):
    """The server, seen from a test."""

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it listens."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self.saves), str(self.port), json.dumps(self.options)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        self.port = int(self.link.split(":")[2].partition("/")[0])


async def serve_counted(saves: Path, port: int, kind: str) -> None:
    """Serve until killed; prints a login link. Copies of stories have small parts: a test needs few turns."""
    offline_copies.PART_TURNS = PART_TURNS
    lobby = make_told_lobby(saves, kind)
    token = find_token({"TALEWRIGHT_TOKEN": TOKEN})
    with listen("127.0.0.1", port) as listening:
        port = listening.getsockname()[1]
        login = server_launcher._make_login(token, port)
        workbench = None
        if kind == SCENES:
            # With models to try, and a game of the owner's own.
            mine = saves.with_name("games")
            folders = (mine, *user_places().games)
            lobby = replace(lobby, shelf=open_game_library(replace(user_places(), games=folders), "en"))
            workbench = FolderWorkbench([mine], installed_systems, utc_now)
        served = server_launcher.ServedLobby(
            lobby,
            new_id,
            TriedModels(pause_seconds=1.0) if kind == SCENES else None,
            None,
            lambda wanted: open_game_library(None, wanted).games(),
            close_nothing,
            workbench,
        )
        app, requests = server_launcher.make_server_app(served, token, port, login)
        print(login.make_link(f"http://{login.host}"), flush=True)
        await server_launcher.make_server(StreamCounter(app, saves / SENT), requests).serve(
            sockets=[listening]
        )


if __name__ == "__main__":
    asyncio.run(serve_counted(Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])["kind"]))
