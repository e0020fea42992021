"""A real browser on a real server: the whole application in a process of its own, and Chromium before it.

Chromium is the system's. Where it is missing, tests are skipped unless TALEWRIGHT_CHROMIUM requires it.
"""

import asyncio
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

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
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.pack.user_folders import UserFolders
from talewright.play.playable_games import GameLibrary
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.play.serving.tried_models import TriedModels

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-for-tests-0123456789"
SECRET = b"the lamp at the end of the pier."
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell") or ""
REQUIRED = "TALEWRIGHT_CHROMIUM"
needs_chromium = pytest.mark.skipif(
    not CHROMIUM and os.environ.get(REQUIRED) != "required", reason="Chromium is not installed"
)
MODEL_SECONDS = 1.0
"""How long a question to a model's server takes."""

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
DESK = {"width": 1280, "height": 900}

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""
"""Counts what must not happen on any page."""


class SteadyModel(Scripted):
    """A model that tells the same reply again and again, in small pieces with pauses between them."""

    def __init__(self, reply: str, pause_seconds: float) -> None:
        profile = Profile("scripted", context_tokens=128_000)
        super().__init__(lambda _: reply, profile=profile, cut=by(6))
        self._pause_seconds = pause_seconds

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the reply, piece by piece."""
        async for chunk in super().stream(request):
            await asyncio.sleep(self._pause_seconds)
            yield chunk


@dataclass
class ServedPages:
    """A server in a process of its own."""

    saves: Path
    options: dict[str, Any] = field(default_factory=dict)
    process: "subprocess.Popen[str] | None" = None
    port: int = 0
    link: str = ""

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it listens."""
        told = {**self.options, "saves": str(self.saves), "port": self.port}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faces.web.chromium", json.dumps(told)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        self.port = int(self.link.split(":")[2].partition("/")[0])

    @property
    def home(self) -> str:
        """The address of the lobby, under the name that browsers log in to."""
        login = server_launcher._make_login(find_token({"TALEWRIGHT_TOKEN": TOKEN}), self.port)
        return f"http://{login.host}/"

    def make_link(self) -> str:
        """A fresh login link: each works once."""
        login = server_launcher._make_login(find_token({"TALEWRIGHT_TOKEN": TOKEN}), self.port)
        return login.make_link(f"http://{login.host}")

    def kill(self) -> None:
        """Kill it, without a chance to clean up."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()


@contextmanager
def browse(saves: Path, **options: Any) -> Iterator[tuple[ServedPages, Any]]:
    """A server, and a browser that is not logged in."""
    with serve(saves, **options) as server, launch_browser() as browser:
        yield server, browser


@contextmanager
def serve(saves: Path, **options: Any) -> Iterator[ServedPages]:
    """A server that runs."""
    server = ServedPages(saves, options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def launch_browser(*flags: str) -> Iterator[Any]:
    """Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Tests may run as root, and Chromium's own sandbox does not.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *flags])
        yield browser
        browser.close()


def make_told_lobby(
    saves: str, reply: str = "", pause_seconds: float = 0.0, model: str = "", games: str = ""
) -> StoreLobby:
    """The games, told by scenes, by a model with one reply, or by the models of a `module:function`."""
    lobby = open_lobby(Path(saves), shelf=open_games(games), git=False, language="en", secret=SECRET)
    if model:
        module, _, name = model.partition(":")
        make: Callable[[], tuple[Provider, Provider]] = getattr(importlib.import_module(module), name)
        main, cheap = make()
        return replace(lobby, teller=Teller(main, cheap))
    return replace(lobby, teller=Teller(SteadyModel(reply, pause_seconds))) if reply else lobby


def open_games(folder: str, language: str = "") -> GameLibrary:
    """The games of a folder; without one, those of the user and the shipped ones."""
    place = Path(folder)
    places = UserFolders(place, place.with_name("cache"), (place,)) if folder else None
    return open_game_library(places, language)


async def close_nothing() -> None:
    """No model was set up."""


async def serve_pages(
    port: int, games: str = "", models: bool = False, author_games: str = "", **told: Any
) -> None:
    """Serve until killed; prints a login link.

    With `models`, there are some to be tried; `author_games` is a folder of games that the owner works on.
    """
    lobby = make_told_lobby(games=games, **told)
    workbench = None
    if author_games:
        folders = (Path(author_games), *user_places().games)
        lobby = replace(lobby, shelf=open_game_library(replace(user_places(), games=folders), "en"))
        workbench = FolderWorkbench([Path(author_games)], installed_systems, utc_now)
    token = find_token({"TALEWRIGHT_TOKEN": TOKEN})
    with listen("127.0.0.1", port) as listening:
        port = listening.getsockname()[1]
        login = server_launcher._make_login(token, port)
        served = server_launcher.ServedLobby(
            lobby,
            new_id,
            TriedModels(pause_seconds=MODEL_SECONDS) if models else None,
            None,
            lambda wanted: open_games(games, wanted).games(),
            close_nothing,
            workbench,
            # Attacks try the same without a login again and again.
            replace(LOCAL_QUOTAS, bad_tokens=None),
        )
        app, requests = server_launcher.make_server_app(served, token, port, login)
        print(login.make_link(f"http://{login.host}"), flush=True)
        await server_launcher.make_server(app, requests).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(serve_pages(**json.loads(sys.argv[1])))
