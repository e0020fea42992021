"""Scenario games: a scenario becomes a game that can be played, and never replaces one."""

import asyncio
import json
from pathlib import Path

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.games.scenario_games import SCENARIO_BYTES_MAX, ScenarioImporter
from talewright.chronicle.store import NameTakenError, UnfitNameError
from talewright.errors import TalewrightError
from talewright.kernel.system import ScenarioError
from tests.systems.world.scenarios.tankard import TANKARD


def make(games: Path, name: str = "", data: bytes = json.dumps(TANKARD).encode()) -> str:
    return asyncio.run(ScenarioImporter(games, installed_systems(), lambda: ())(data, name))


def test_a_game_is_made_and_named_after_its_title(tmp_path: Path) -> None:
    games = tmp_path / "games"
    made = make(games)
    assert (games / made / "game.yaml").is_file()
    assert make(games, "another") == "another"
    with pytest.raises(NameTakenError):
        make(games)
    assert sorted(path.name for path in games.iterdir()) == sorted([made, "another"])


@pytest.mark.parametrize("name", ["..", "../up", "/tmp/x", "A", "a b", "1", "x" * 41])
def test_a_name_cannot_lead_elsewhere(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnfitNameError):
        make(tmp_path / "games", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"x" * (SCENARIO_BYTES_MAX + 1)])
def test_what_is_no_scenario_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError):
        make(tmp_path / "games", data=data)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file")
    with pytest.raises(TalewrightError, match="could not be written"):
        make(tmp_path / "games")
