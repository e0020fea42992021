"""`talewright new`: a folder that passes the check, and nothing ever overwritten."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.bootstrap import open_game_library, user_places
from talewright.bootstrap.system_plugins import load_systems
from talewright.cli import WRONG_USE, main
from talewright.pack import game_folders
from tests.bootstrap.test_system_plugins import Entry, fail, install
from tests.plugs.toll import Toll
from tests.warm_homes import warm


@pytest.fixture(autouse=True)
def go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_game_passes_the_check_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "salt_road"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Created a small game with 6 files in salt_road:\n")
    assert told.endswith("Open salt_road/game.yaml first, then run: talewright check salt_road\n")
    assert main(["check", "salt_road", "--strict"]) == 0
    assert capsys.readouterr().out.startswith("salt_road: no faults (")
    written = Path("salt_road/game.yaml").read_text("utf-8")
    assert "game_id: salt_road" in written
    assert 'title: "Salt Road"' in written


def test_a_title_may_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "deep/er/salt_road", "--title", 'The "Salt" Road: 盐路']) == 0
    assert main(["check", "deep/er/salt_road", "--strict"]) == 0
    assert "no faults" in capsys.readouterr().out


@pytest.mark.parametrize("what", ["folder", "file", "link", "dangling link"])
def test_what_is_there_is_never_overwritten(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = Path("salt_road")
    match what:
        case "folder":
            place.mkdir()
        case "file":
            place.touch()
        case "link":
            Path("other").mkdir()
            place.symlink_to("other")
        case _:
            place.symlink_to("nowhere")
    before = sorted(Path().rglob("*"))
    assert main(["new", "salt_road"]) == WRONG_USE
    assert capsys.readouterr().err == (
        "talewright: salt_road already exists\nChoose another name, or delete it first.\n"
    )
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    "name", ["Salt", "salt-road", "3_roads", "salt road", "盐路", "a" * 41, ".", "..", "/", "_a"]
)
def test_a_name_that_is_no_id_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == WRONG_USE
    message, hint = capsys.readouterr().err.splitlines()
    assert message.endswith("cannot be the id of a game")
    assert "talewright new salt_road" in hint
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("title", ["", "  ", "a\nb", "a\x1b[2J", "x" * 101])
def test_a_title_that_is_none_is_refused(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "salt_road", "--title", title]) == WRONG_USE
    assert "cannot be a title" in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_a_place_that_takes_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").touch()
    assert main(["new", "file/salt_road"]) == WRONG_USE
    assert capsys.readouterr().err.startswith("talewright: file/salt_road cannot be written: ")


def test_the_template_lies_beside_the_compiler() -> None:
    assert game_folders.TEMPLATE.is_dir()
    assert os.path.commonpath([game_folders.TEMPLATE, game_folders.__file__]) == os.path.dirname(
        game_folders.__file__
    )


@pytest.fixture(name="toll")
def install_toll(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load_systems.cache_clear()
    install(monkeypatch, Entry("toll", lambda: Toll))
    yield
    load_systems.cache_clear()


def test_a_new_game_may_start_from_the_rules_of_a_system(
    toll: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "salt_road", "--rules", "dear"]) == 0
    assert capsys.readouterr().out.startswith("Created a small game with 7 files in salt_road:\n")
    assert Path("salt_road/Toll.md").read_text("utf-8") == "cart: 9\n"
    assert Path("salt_road/intro.md").read_text("utf-8").startswith("Salt Road\n")
    assert "\nsystems: [toll]\ncontract: tools\n" in Path("salt_road/game.yaml").read_text("utf-8")
    assert main(["check", "salt_road", "--strict"]) == 0
    assert main(["new", "free_road", "--rules", "free"]) == 0
    assert not Path("free_road/Toll.md").exists()


def test_the_rules_of_systems_are_listed(
    toll: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("broken", fail(ImportError("no river"))), Entry("toll", lambda: Toll))
    with pytest.raises(SystemExit):
        main(["new", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "dear (100% honest prices); free (no prices at all)" in told
    assert told.endswith("examples: talewright new salt_road talewright new salt_road_dear --rules dear")
    with pytest.raises(SystemExit):
        main(["new", "salt_road", "--rules", "cheap"])
    assert "choose from" in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_without_such_systems_there_are_no_rules_to_choose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch)
    load_systems.cache_clear()
    with pytest.raises(SystemExit):
        main(["new", "--help"])
    assert "--rules" not in capsys.readouterr().out
    load_systems.cache_clear()


def test_a_new_game_stands_in_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    assert main(["new", "salt_road"]) == 0
    for here in (tmp_path, tmp_path / "salt_road"):
        monkeypatch.chdir(here)
        infos = {info.id: info for info in open_game_library(user_places(), "en").games()}
        assert (infos["salt_road"].title, infos["salt_road"].tone) == ("Salt Road", "quiet, a little odd")
        assert "mist_harbor" in infos
