"""Warm homes: a user's home whose cache already holds the shipped games, as after the first visit.

Compiling them takes a second, which hundreds of tests would pay. They are compiled once in each process that
runs tests, by the code at hand, and never kept for another run. A test of the first visit uses an empty home.
"""

import atexit
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from talewright.bootstrap.games.compiled_folders import CompiledFolders
    from talewright.turn.game_editions import Edition

_places: list[Path] = []
"""Where this process keeps compiled games."""


def keep_in(folder: Path) -> None:
    """Say where compiled games may be kept for as long as this process runs tests."""
    _places[:] = [folder]


def warm(home: Path) -> Path:
    """Put the compiled games into the cache of a home, which is made if it is missing; returns the home."""
    if not _places:
        # Not run by pytest, but by a bench or a sweep.
        keep_in(Path(tempfile.mkdtemp()))
        atexit.register(shutil.rmtree, _places[0], ignore_errors=True)
    compiled = _places[0] / "cache"
    if not compiled.exists():
        # Imported late: the tests of a room run without those above it.
        from talewright.bootstrap import open_game_library
        from talewright.pack.game_folders import shipped_games
        from talewright.pack.user_folders import UserFolders

        open_game_library(UserFolders(_places[0], compiled, (shipped_games(),))).games()
    shutil.copytree(compiled, home / "cache", dirs_exist_ok=True)
    return home


def share_opened_games(patch: "pytest.MonkeyPatch") -> None:
    """Let every lobby of this process have the shipped games that another one has opened from a warm cache.

    Reading one from the cache takes 50 ms, for each of a thousand lobbies. Where no test can open a game,
    nothing is imported.
    """
    if "talewright.bootstrap.games.compiled_folders" not in sys.modules:
        return
    from talewright.bootstrap import installed_systems
    from talewright.bootstrap.games.compiled_folders import CompiledFolders
    from talewright.pack.cache.cover_cache import read_cover, take_mark
    from talewright.pack.game_folders import shipped_games

    opened: dict[tuple[Path, str], Edition] = {}
    open_folder, shipped = CompiledFolders.open, shipped_games()

    def open_shared(self: "CompiledFolders", folder: Path) -> "Edition":
        if (
            folder.parent != shipped
            or self._systems is not installed_systems
            or folder in self._opened
            or read_cover(folder, self._cache) is None
        ):
            return open_folder(self, folder)
        mark = take_mark(folder)
        if (folder, mark) not in opened:
            opened[folder, mark] = open_folder(self, folder)
        self._opened[folder] = mark, opened[folder, mark]
        return opened[folder, mark]

    patch.setattr(CompiledFolders, "open", open_shared)
