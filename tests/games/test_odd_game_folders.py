"""Game folders with something odd in them: links, pipes, devices, sockets, folders, huge files.

Each time the game is refused or read within a second, and nothing outside its folder is read or touched.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.config.environment import gather_variables
from talewright.errors import TalewrightError
from talewright.pack.game_folders import write_starter
from tests.odd_files import KINDS, look_at, within_a_second

GAME = "small_game"

PLACES = ("game.yaml", "world.md", "scenes", "scenes/extra.yaml", "lore", "cover.png", "i18n", ".git")

ODD = [kind for kind in KINDS if kind != "second_name"]
"""A second name of a file is a plain file, and it is only read."""


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what compiles games, which is no game's fault."""
    folder = tmp_path_factory.mktemp("warm") / GAME
    write_starter(folder, GAME, "Small")
    FolderGameLibrary([folder], folder.parent / "cache", installed_systems).admit(str(folder))


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("place", PLACES)
def test_a_game_folder_is_refused_or_read_at_once(tmp_path: Path, place: str, kind: str) -> None:
    folder, outside = tmp_path / GAME, tmp_path / "outside"
    write_starter(folder, GAME, "Small")
    outside.mkdir()
    (outside / "diary.txt").write_text("title: Dear diary\n")
    target = folder / place
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    target.parent.mkdir(exist_ok=True)
    try:
        KINDS[kind](target, outside)
    except PermissionError:
        pytest.skip(f"this user may not make a {kind}")
    before = look_at(outside)
    shelf = FolderGameLibrary([tmp_path], tmp_path / "cache", installed_systems)
    with within_a_second():
        shelf.games()
        with suppress(TalewrightError):
            edition = shelf.admit(str(folder))
            assert "Dear diary" not in str(edition.form)
    assert look_at(outside) == before


def test_folders_within_folders_are_refused_and_not_followed_for_ever(tmp_path: Path) -> None:
    folder = tmp_path / GAME
    write_starter(folder, GAME, "Small")
    deep = [str(folder / "scenes") + "/d" * depth for depth in range(1, 1101)]
    for inner in deep:
        os.mkdir(inner)
    shelf = FolderGameLibrary([tmp_path], tmp_path / "cache", installed_systems)
    try:
        with within_a_second():
            assert shelf.games() == ()
            with pytest.raises(TalewrightError, match="deep"):
                shelf.admit(str(folder))
    finally:
        # Too deep for what tidies up after tests.
        for inner in reversed(deep):
            os.rmdir(inner)


@pytest.mark.parametrize("kind", ["pipe", "endless_link", "folder", "socket", "huge"])
def test_an_odd_env_file_says_nothing(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / ".env", tmp_path)
    with within_a_second():
        assert gather_variables({}, tmp_path).dotenv == {}
