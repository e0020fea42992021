"""Warm homes: a user's home whose cache already holds the shipped games, as after the first visit.

Compiling them takes a second, which hundreds of tests would pay. They are compiled once in each process that
runs tests, by the code at hand, and never kept for another run. A test of the first visit uses an empty home.
"""

import atexit
import shutil
import tempfile
from pathlib import Path

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
