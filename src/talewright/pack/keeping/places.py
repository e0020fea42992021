"""Places: where games, campaigns and caches lie on this machine.

Paths only; nothing is opened, and nothing is made.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "TALEWRIGHT_HOME"
"""Names one folder for everything: games, campaigns and caches."""

GAME_FILE = "game.yaml"
"""What makes a folder a game."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one user."""

    saves: Path
    """Campaigns, a folder each."""

    cache: Path
    games: tuple[Path, ...]
    """Folders that hold games, a folder each; the first that has a name wins."""


def find_places(environment: Mapping[str, str], home: Path, here: Path) -> Places:
    """Where everything lies for a user who works in a folder."""
    data = data_folder(environment, home)
    named = environment.get(HOME_VARIABLE, "")
    cache = Path(named) / "cache" if named else cache_folder(environment, home)
    return Places(data / "saves", cache, (here / "games", data / "games", shipped_games()))


def data_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Where a user's own things are kept on this kind of machine."""
    named = environment.get(HOME_VARIABLE, "")
    if named:
        return Path(named)
    shared = environment.get("XDG_DATA_HOME", "")
    if shared and os.path.isabs(shared):
        return Path(shared) / "talewright"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "talewright"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA", str(home / "AppData" / "Roaming"))) / "talewright"
    return home / ".local" / "share" / "talewright"


def cache_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Where a user's caches lie on this kind of machine."""
    named = environment.get("XDG_CACHE_HOME", "")
    if named and os.path.isabs(named):
        return Path(named) / "talewright"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "talewright"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA", str(home / "AppData" / "Local"))) / "talewright" / "cache"
    return home / ".cache" / "talewright"


def shipped_games() -> Path:
    """The games of the package; in a clone, those that lie beside the sources."""
    package = Path(__file__).parents[2]
    inside = package / "games"
    return inside if inside.is_dir() else package.parents[1] / "games"


def find_game(name: str, folders: Sequence[Path]) -> Path | None:
    """The folder of a game, by its path or by its name in one of the folders."""
    asked = Path(name).expanduser()
    if is_game(asked):
        return asked
    if asked.name != name:
        return None
    return next((folder / name for folder in folders if is_game(folder / name)), None)


def list_games(folders: Sequence[Path]) -> Iterator[Path]:
    """Every game in the folders, by name; of two with one name the first."""
    seen: set[str] = set()
    for folder in folders:
        for game in sorted(folder.iterdir()) if folder.is_dir() else ():
            if game.name not in seen and not game.name.startswith(".") and is_game(game):
                seen.add(game.name)
                yield game


def is_game(folder: Path) -> bool:
    """Whether a folder looks like a game."""
    return (folder / GAME_FILE).is_file()
