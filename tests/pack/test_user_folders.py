"""Places: where things lie on each kind of machine, and how a game is found by name or path."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.pack import game_folders as room
from talewright.pack.game_folders import find_game, list_games, shipped_games
from talewright.pack.user_folders import data_folder, find_user_folders

HOME = Path("/home/u")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/u/.local/share/talewright"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/talewright"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "/home/u/.local/share/talewright"),
        ("linux", {"TALEWRIGHT_HOME": "/mine", "XDG_DATA_HOME": "/data"}, "/mine"),
        ("darwin", {}, "/home/u/Library/Application Support/talewright"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/talewright"),
        ("win32", {}, "/home/u/AppData/Roaming/talewright"),
    ],
)
def test_the_users_own_folder(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert data_folder(environment, HOME) == Path(folder)


def test_all_places() -> None:
    found = find_user_folders({"TALEWRIGHT_HOME": "/mine"}, HOME, Path("/here"))
    assert (found.saves, found.cache) == (Path("/mine/saves"), Path("/mine/cache"))
    assert found.games == (Path("/here"), Path("/here/games"), Path("/mine/games"), shipped_games())
    # A relative name is meant from where one works, also when something else is run elsewhere.
    found = find_user_folders({"TALEWRIGHT_HOME": "mine"}, HOME, Path("/here"))
    assert (found.saves, found.cache) == (Path("/here/mine/saves"), Path("/here/mine/cache"))
    assert find_user_folders({"XDG_CACHE_HOME": "/c"}, HOME, Path("/here")).cache == Path("/c/talewright")


def test_shipped_games_lie_in_the_package_or_beside_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (shipped_games() / "mist_harbor" / "game.yaml").is_file()
    package = tmp_path / "lib" / "talewright"
    (package / "games").mkdir(parents=True)
    monkeypatch.setattr(room, "__file__", str(package / "pack" / "game_folders.py"))
    assert shipped_games() == package / "games"


@pytest.fixture(name="folders")
def make_folders(tmp_path: Path) -> list[Path]:
    for name in ("near/fog", "far/fog", "far/road", "far/.hidden", "far/empty"):
        (tmp_path / name).mkdir(parents=True)
        if not name.endswith("empty"):
            (tmp_path / name / "game.yaml").touch()
    (tmp_path / "far" / "file").touch()
    return [tmp_path / "near", tmp_path / "far", tmp_path / "nowhere"]


def test_a_game_is_found_by_name_nearest_first(folders: list[Path]) -> None:
    near, far, _ = folders
    assert find_game("fog", folders) == near / "fog"
    assert find_game("road", folders) == far / "road"
    assert find_game("empty", folders) is None
    assert list(list_games(folders)) == [near / "fog", far / "road"]


def test_a_folder_may_be_a_game_itself_and_others_need_not_be_readable(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    near, far, _ = folders
    assert list(list_games([near / "fog", far])) == [near / "fog", far / "road"]

    def refuse(path: Path) -> Iterator[Path]:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert list(list_games(folders)) == []


def test_a_game_is_found_by_path(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    near, far, _ = folders
    assert find_game(str(far / "fog"), folders) == far / "fog"
    monkeypatch.chdir(far)
    assert find_game("fog", folders) == Path("fog")
    assert find_game("../near/fog", []) == Path("../near/fog")
    assert find_game("../near/road", folders) is None
    assert find_game("", [near]) is None
