"""The inspection as a whole: when it runs, how much it says, and what it says of the games at hand."""

from pathlib import Path

import pytest

from talewright.pack.compiler import check_folder, compile_folder
from talewright.pack.faults import FAULTS_MAX
from tests.pack.lint.making import HEAD, MEANING, find

ROOT = Path(__file__).parents[3]


def write_folder(folder: Path, **files: str) -> Path:
    for name, text in {"game.yaml": HEAD, "world.md": "w\n", **files}.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_meaning_is_looked_at_for_authors_only(tmp_path: Path) -> None:
    game = HEAD + "variables: [{id: clues, type: integer, min: 0, max: 12}]\n"
    folder = write_folder(tmp_path, **{"game.yaml": game, "triggers.yaml": "- {id: t, when: clues > 12}\n"})
    assert compile_folder(folder, {}).faults == ()
    checked = check_folder(folder, {})
    assert [fault.code for fault in checked.faults] == ["trigger-never-fires"]
    assert checked.game is not None


def test_meaning_is_not_looked_at_where_there_are_errors(tmp_path: Path) -> None:
    game = HEAD + "variables: [{id: clues, type: integer, min: 0, max: 12}]\n"
    triggers = "- {id: t, when: clues > 12}\n- {id: u, when: hints > 12}\n"
    folder = write_folder(tmp_path, **{"game.yaml": game, "triggers.yaml": triggers})
    assert [fault.code for fault in check_folder(folder, {}).faults] == ["bad-condition"]


def test_no_more_is_told_than_the_desk_keeps() -> None:
    game = "variables: [{id: clues, type: integer, min: 0, max: 12}]\n"
    triggers = "".join(f"- {{id: t{number}, when: clues > 12}}\n" for number in range(FAULTS_MAX + 50))
    assert len(find(game, {"triggers.yaml": triggers})) == FAULTS_MAX


@pytest.mark.parametrize("name", ["games/lantern_road", "games/mist_harbor", "src/talewright/pack/template"])
def test_nothing_is_said_of_the_games_that_ship(name: str) -> None:
    assert [fault for fault in check_folder(ROOT / name, {}).faults if fault.code in MEANING] == []


def test_of_the_seed_only_its_unbounded_relationships_are_told() -> None:
    faults = check_folder(ROOT / "tests/games/seed_harbor", {}).faults
    assert [(str(fault.place), fault.code) for fault in faults if fault.code in MEANING] == [
        ("game.yaml:150:39", "undeclared-range")
    ]


def test_a_game_of_nothing_but_a_world_has_no_meaning_to_miss() -> None:
    assert find("") == []
