"""The workbench: folders compiled again when their files change, with faults at file, line and column."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from talewright.bootstrap.serving import folder_workbench
from talewright.bootstrap.serving.folder_workbench import LOOK_SECONDS, FolderWorkbench
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import CompiledGame
from talewright.pack.compiler import check_folder
from talewright.pack.game_folders import shipped_games, write_starter
from talewright.pack.user_folders import UserFolders
from talewright.play.serving.game_workbench import WorkedGame, mark_games

FAULT = "\nendingz: []\n"


def make_clock(step: float) -> Callable[[], float]:
    ticks: Iterator[int] = iter(range(10_000))
    return lambda: next(ticks) * step


def make_workbench(games: Path, step: float = 2 * LOOK_SECONDS) -> FolderWorkbench:
    times = iter(range(10_000))
    return FolderWorkbench([games], dict, lambda: f"2026-01-01T00:00:{next(times):02d}Z", make_clock(step))


def break_game(folder: Path) -> None:
    file = folder / "game.yaml"
    file.write_text(file.read_text("utf-8") + FAULT, "utf-8")


def mend_game(folder: Path) -> None:
    file = folder / "game.yaml"
    file.write_text(file.read_text("utf-8").replace(FAULT, ""), "utf-8")


@pytest.fixture(name="folder")
def make_folder(tmp_path: Path) -> Path:
    write_starter(tmp_path / "games" / "tea", "tea", "Tea")
    return tmp_path / "games" / "tea"


def look(workbench: FolderWorkbench, *, at_once: bool = False) -> WorkedGame:
    (game,) = asyncio.run(workbench.games(at_once=at_once))
    return game


def test_a_fault_is_found_and_mended(folder: Path) -> None:
    workbench = make_workbench(folder.parent)
    good = look(workbench)
    assert (good.name, good.game, good.titles, good.is_playable) == ("tea", "tea", {"en": "Tea"}, True)
    assert (good.folder, good.checked_at, good.good_at) == (str(folder), good.good_at, good.checked_at)
    assert look(workbench) == good
    break_game(folder)
    bad = look(workbench)
    assert not bad.is_playable
    assert (bad.game, bad.titles, bad.good_at) == ("tea", {"en": "Tea"}, good.good_at)
    assert bad.checked_at > good.checked_at
    assert mark_games([bad]) != mark_games([good])
    (fault,) = [one for one in bad.faults if one.fault.code == "unknown-field"]
    lines = (folder / "game.yaml").read_text("utf-8").split("\n")
    assert fault.fault.place.file == "game.yaml"
    assert lines[fault.fault.place.line - 1] == "endingz: []" == fault.before + fault.at + fault.after
    assert "endings" in fault.fault.suggestion
    assert bad.count("error") == 1
    mend_game(folder)
    again = look(workbench)
    assert again.is_playable
    assert again.count("error") == 0
    assert again.good_at == again.checked_at > bad.checked_at


def test_a_game_that_never_compiled_has_the_name_of_its_folder(folder: Path) -> None:
    (folder / "game.yaml").write_text("game_id: 7\n", "utf-8")
    game = look(make_workbench(folder.parent))
    assert (game.name, game.game, game.title("en"), game.good_at) == ("tea", "tea", "tea", "")
    assert not game.is_playable
    assert not game.languages


def test_warnings_of_the_lint_are_told_too(folder: Path) -> None:
    file = folder / "game.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("critical_threshold: 2", "critical_threshold: 99"), "utf-8")
    game = look(make_workbench(folder.parent))
    assert game.is_playable
    assert [one.fault.code for one in game.faults if one.fault.severity.value == "warning"] == [
        "threshold-out-of-range"
    ]
    assert game.count("warning") == 1


def test_nothing_is_compiled_without_a_change_nor_more_often_than_allowed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[Path] = []

    def check(root: Path, systems: Mapping[str, System]) -> CompiledGame:
        checked.append(root)
        return check_folder(root, systems)

    monkeypatch.setattr(folder_workbench, "check_folder", check)
    often = make_workbench(folder.parent, step=LOOK_SECONDS / 100)
    first = look(often)
    break_game(folder)
    assert look(often) == first
    assert checked == [folder]
    assert not look(often, at_once=True).is_playable
    assert checked == [folder, folder]
    seldom = make_workbench(folder.parent)
    for _ in range(5):
        look(seldom)
    assert len(checked) == 3


def test_folders_come_and_go_and_odd_ones_do_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbench = make_workbench(folder.parent)
    look(workbench)
    write_starter(folder.parent / "well", "well", "Well")
    assert [one.name for one in asyncio.run(workbench.games())] == ["tea", "well"]
    monkeypatch.setattr(folder_workbench, "GAMES_MAX", 1)
    assert [one.name for one in asyncio.run(workbench.games())] == ["tea"]

    def refuse(_: Path) -> str:
        raise OSError("the folder holds too much")

    # Without a mark, it is looked at again each time.
    monkeypatch.setattr(folder_workbench, "take_mark", refuse)
    times = {look(workbench).checked_at for _ in range(3)}
    assert len(times) == 3


def test_the_own_games_are_not_those_of_the_package(tmp_path: Path) -> None:
    own = (tmp_path, tmp_path / "games")
    assert UserFolders(tmp_path, tmp_path, (*own, shipped_games())).own_games == own
    # In a clone they are where the author is.
    assert UserFolders(tmp_path, tmp_path, (shipped_games(), shipped_games())).own_games == (shipped_games(),)
    assert UserFolders(tmp_path, tmp_path, own).own_games == own
