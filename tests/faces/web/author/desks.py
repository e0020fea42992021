"""Servers for authors: a game folder of one's own, a lobby that plays it, and a workbench that watches it."""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from talewright.bootstrap import open_lobby
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.serving.folder_workbench import FolderWorkbench
from talewright.pack.game_folders import write_starter
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.bootstrap.serving.whole_server import ORIGIN, WholeServer, whole_server
from tests.faces.http.serving import SECRET
from tests.faces.web.visiting import PageVisitor

MISSPELT = "\nendingz: []\n"

Look = Callable[[PageVisitor, "AuthoredGame"], Coroutine[Any, Any, None]]


@dataclass
class AuthoredGame:
    """A game folder, as an editor changes it."""

    folder: Path

    def write(self, file: str, old: str, new: str) -> None:
        """Replace a text in a file, once."""
        path = self.folder / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    def break_it(self) -> None:
        """Make a mistake."""
        path = self.folder / "game.yaml"
        path.write_text(path.read_text("utf-8") + MISSPELT, "utf-8")

    def mend_it(self) -> None:
        """Take it back."""
        self.write("game.yaml", MISSPELT, "")


def make_game(root: Path) -> AuthoredGame:
    """A new game, as `talewright new tea` makes it."""
    write_starter(root / "games" / "tea", "tea", "Tea")
    return AuthoredGame(root / "games" / "tea")


def make_author_lobby(root: Path, replies: list[str] | None = None) -> StoreLobby:
    """A lobby with the games beneath a folder, told by scenes or by a model with these replies."""
    shelf = FolderGameLibrary([root / "games"], root / "cache", dict, "en")
    lobby = open_lobby(root / "saves", shelf=shelf, git=False, language="en", secret=SECRET)
    return lobby if replies is None else replace(lobby, teller=Teller(Scripted(replies, cut=by(20))))


def make_workbench(root: Path) -> FolderWorkbench:
    """A workbench on the same games, for which time passes with every look."""
    seconds: Iterator[int] = iter(range(100_000))
    times: Iterator[int] = iter(range(60))
    return FolderWorkbench(
        [root / "games"],
        dict,
        lambda: f"2026-01-01T00:00:{next(times):02d}Z",
        lambda: float(next(seconds)),
    )


async def work(root: Path, look: Look, lobby: StoreLobby | None = None, language: str = "en") -> None:
    """Log in to a server with a game of one's own, and look around."""
    game = make_game(root)
    async with whole_server(lobby or make_author_lobby(root), workbench=make_workbench(root)) as server:
        await log_in(server, lambda visitor: look(visitor, game), language)


async def log_in(
    server: WholeServer, look: Callable[[PageVisitor], Coroutine[Any, Any, None]], language: str = "en"
) -> None:
    """Look around as the owner's browser."""
    async with server.client(**{"Accept-Language": language}) as client:
        assert (await client.get(server.login.make_link(ORIGIN))).status_code == 303
        await look(PageVisitor(client))
