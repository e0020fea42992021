"""Games of pasted texts: written whole or not at all, and never over another game."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games import pasted_games
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.games.pasted_games import PastedGameMaker
from talewright.errors import TalewrightError
from talewright.pack.game_folders import shipped_games, write_texts
from talewright.play.playable_games import MadeGame, PastedGame

RULES = "# Rules\n\n## Dice\nRoll 1d20 and add the modifier. If the total is at least 12, it works.\n"
PASTED = PastedGame("The Light", "en", premise="A lighthouse has gone dark.", rules=RULES)


def make_maker(home: Path) -> PastedGameMaker:
    shelf = FolderGameLibrary((home / "games", shipped_games()), home / "cache", installed_systems)
    return PastedGameMaker(home / "games", home / "cache", installed_systems, shelf.games)


def make(home: Path, pasted: PastedGame) -> MadeGame:
    return asyncio.run(make_maker(home)(pasted))


def list_made(home: Path) -> list[str]:
    return sorted(one.name for one in (home / "games").iterdir())


def test_a_title_becomes_an_id_that_nobody_has(tmp_path: Path) -> None:
    assert make(tmp_path, replace(PASTED, title="../../etc/passwd")).id == "etc_passwd"
    assert make(tmp_path, replace(PASTED, title="Solo")).id == "solo_2", "a game of the package has that id"
    long = make(tmp_path, replace(PASTED, title="x" * 100))
    assert long.id == "x" * 40
    assert list_made(tmp_path) == ["etc_passwd", "solo_2", "x" * 40]


def test_the_same_texts_are_the_same_game_until_someone_changes_it(tmp_path: Path) -> None:
    assert make(tmp_path, PASTED).id == "the_light"
    windows = replace(PASTED, rules=RULES.replace("\n", "\r\n"))
    assert make(tmp_path, windows).id == "the_light"
    (tmp_path / "games" / "the_light" / "extra.txt").write_text("mine")
    assert make(tmp_path, PASTED).id == "the_light", "files may be added"
    (tmp_path / "games" / "the_light" / "world.md").write_text("Mine.\n")
    assert make(tmp_path, PASTED).id == "the_light_2"
    assert (tmp_path / "games" / "the_light" / "world.md").read_text() == "Mine.\n"


def test_two_processes_make_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_late(folder: Path, texts: dict[str, str]) -> list[Path]:
        # Before this one is complete, another process has made the same game.
        write_texts(tmp_path / "games" / "the_light", texts)
        return write_texts(folder, texts)

    monkeypatch.setattr(pasted_games, "write_texts", write_late)
    assert make(tmp_path, PASTED).id == "the_light"
    assert list_made(tmp_path) == ["the_light"]


@pytest.mark.parametrize(
    ("pasted", "told"),
    [
        (replace(PASTED, title=" \n "), "the title of a game is one line"),
        (replace(PASTED, title="x" * 101), "the title of a game is one line"),
        (replace(PASTED, premise=" ", rules="\r\n"), "neither a premise nor rules"),
        (replace(PASTED, language="en\nsystems: [odds]"), "language"),
        (replace(PASTED, premise="x" * 20_001), "20,000|20000|description"),
    ],
)
def test_what_makes_no_game_leaves_nothing(pasted: PastedGame, told: str, tmp_path: Path) -> None:
    with pytest.raises(TalewrightError, match=told):
        make(tmp_path, pasted)
    assert not (tmp_path / "games").exists() or list_made(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file")
    with pytest.raises(TalewrightError, match="could not be written") as refused:
        make(tmp_path, PASTED)
    assert str(tmp_path / "games") in refused.value.hint


def test_norwegian_is_a_language(tmp_path: Path) -> None:
    """In YAML, a bare `no` would mean false."""
    assert make(tmp_path, replace(PASTED, language="no", rules="")).id == "the_light"
