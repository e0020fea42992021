"""A folder with only a rulebook: a game with a name, a title, and every language of the interface."""

from pathlib import Path

import pytest

from talewright.bootstrap import installed_systems
from talewright.common.word_catalogues import interface_languages
from talewright.errors import Severity
from talewright.pack.compiler import check_folder, compile_folder
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import read_folder
from talewright.pack.game_folders import find_game, is_game, list_games, name_bare_game

RULES = """\
# Salt and **Iron**

## Dice
Roll 1d20 + modifier against a difficulty.

## Attributes
- Strength (STR): 8-18
"""


@pytest.fixture(name="folder")
def make_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / "salt_and_iron"
    folder.mkdir(parents=True)
    (folder / "System.md").write_text(RULES, "utf-8")
    return folder


def test_it_is_found_like_any_other_game(folder: Path) -> None:
    assert is_game(folder)
    assert find_game("salt_and_iron", [folder.parent]) == folder
    assert list(list_games([folder.parent])) == [folder]
    (folder / "System.md").unlink()
    assert not is_game(folder)


def test_its_name_is_the_folders_and_its_title_the_first_heading(folder: Path) -> None:
    compiled = compile_folder(folder, installed_systems())
    assert compiled.faults == ()
    game = compiled.game
    assert game is not None
    assert (game.id, game.contract, game.plan) == ("salt_and_iron", "tools", "tool_loop")
    assert [system.name for system in game.systems] == ["tabletop"]
    assert "skill_check" in game.tools
    assert game.languages == interface_languages()
    assert {words.find("title") for words in compiled.texts.values()} == {"Salt and Iron"}
    assert len({words.find("world") for words in compiled.texts.values()}) == len(game.languages)


def test_check_hints_at_what_to_add_and_finds_nothing_else(folder: Path) -> None:
    (fault,) = check_folder(folder, installed_systems()).faults
    assert (fault.code, fault.severity, fault.place.file) == ("bare-rulebook", Severity.HINT, "System.md")
    assert fault.message == (
        'there is no game.yaml: the game has the id `salt_and_iron` and the title "Salt and Iron"'
    )
    assert all(name in fault.suggestion for name in ("game.yaml", "world.md", "intro.md", "Character.md"))


def test_what_the_author_wrote_counts(folder: Path) -> None:
    (folder / "world.md").write_text("A salt road over an iron pass.\n", "utf-8")
    (folder / "intro.md").write_text("It snows.\n", "utf-8")
    compiled = compile_folder(folder, installed_systems())
    assert compiled.faults == ()
    assert {words.find("world") for words in compiled.texts.values()} == {"A salt road over an iron pass."}
    assert {words.find("intro") for words in compiled.texts.values()} == {"It snows."}


def test_with_a_game_file_nothing_is_added(folder: Path) -> None:
    (folder / "game.yaml").write_text("game_id: pass\ntitle: The Pass\n", "utf-8")
    found = read_folder(folder, FaultList())
    assert found is not None
    assert (found.added, list(found.files)) == ((), ["System.md", "game.yaml"])
    (folder / "game.yaml").unlink()
    (folder / "game.yaml").mkdir()
    (folder / "System.md").unlink()
    found = read_folder(folder, FaultList())
    assert found is not None
    assert found.files == {}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("No heading.\n", "salt_and_iron"),
        ("Words first.\n\n## 盐与铁 ##\n", "盐与铁"),
        (f"# {'x' * 200}\n", "x" * 100),
        ('# The "Iron" Road: 2\n', 'The "Iron" Road: 2'),
        ("# ***\n", "salt_and_iron"),
    ],
)
def test_any_heading_can_be_a_title(folder: Path, text: str, title: str) -> None:
    (folder / "System.md").write_text(text, "utf-8")
    compiled = compile_folder(folder, installed_systems())
    assert compiled.game is not None, compiled.faults
    assert compiled.texts["en"].find("title") == title


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("goblin-road", "goblin-road"),
        ("My Rules (2)", "My_Rules_2"),
        ("魔法", "rulebook"),
        ("x" * 100, "x" * 60),
        ("__", "rulebook"),
    ],
)
def test_any_folder_has_a_name(folder: str, name: str) -> None:
    assert name_bare_game(folder) == name
