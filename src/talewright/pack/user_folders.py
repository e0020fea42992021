"""User folders: where a user's games, campaigns and caches are on this platform.

Paths only; nothing is opened or created.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from talewright.common.frozen_values import frozen
from talewright.pack.game_folders import shipped_games

HOME_VARIABLE = "TALEWRIGHT_HOME"
"""The environment variable for one folder with everything: games, campaigns and caches."""


@frozen
class UserFolders:
    """The folders of one user."""

    saves: Path
    """Campaigns, one folder each."""

    cache: Path
    games: tuple[Path, ...]
    """Folders that contain games, one folder each; the first match for a name wins."""

    @property
    def own_games(self) -> tuple[Path, ...]:
        """The folders of the user's own games: the last folder comes with the package."""
        return self.games[:-1] if self.games[-1:] == (shipped_games(),) else self.games


def find_user_folders(environment: Mapping[str, str], home: Path, here: Path) -> UserFolders:
    """Return the folders for a user whose current folder is `here`."""
    data = here / data_folder(environment, home)
    named = environment.get(HOME_VARIABLE, "")
    cache = here / named / "cache" if named else cache_folder(environment, home)
    return UserFolders(data / "saves", cache, (here, here / "games", data / "games", shipped_games()))


def data_folder(environment: Mapping[str, str], home: Path) -> Path:
    """The folder for user data on this platform."""
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
    """The folder for caches on this platform."""
    named = environment.get("XDG_CACHE_HOME", "")
    if named and os.path.isabs(named):
        return Path(named) / "talewright"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "talewright"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA", str(home / "AppData" / "Local"))) / "talewright" / "cache"
    return home / ".cache" / "talewright"
