"""Scenarios on the command line: a game from a file, a campaign in it, and a file from the campaign."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import open_game_library, open_lobby
from talewright.bootstrap.system_plugins import load_systems
from talewright.cli import WRONG_USE, main
from tests.bootstrap.test_system_plugins import Entry, install
from tests.cli.campaigns import NAME, Console
from tests.cli.desk import Desk
from tests.opened import opened
from tests.plugs.toll import Toll
from tests.systems.world.scenarios.tankard import TANKARD, only, spell

SECRET = bytes(range(32))


async def play(saves: Path, game: Path, turns: int) -> None:
    """Go somewhere else, turn after turn."""
    shelf = open_game_library()
    named = shelf.admit(str(game)).game.id
    lobby = open_lobby(saves, shelf=shelf, git=False, language="en", secret=SECRET)
    session = await opened(lobby.begin(named))
    for _ in range(turns):
        view = await session.view()
        way = next(choice for choice in view.choices if choice.label.startswith("Go to"))
        await session.choose(way.id)
    await session.close()


def export(desk: Desk, saves: Path, *words: str) -> Any:
    answer = desk.run("export", "--saves", str(saves), "--format", "scenario", "-o", "-", *words)
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


def test_from_a_file_to_a_campaign_and_back(desk: Desk, tmp_path: Path) -> None:
    file, saves = tmp_path / "tankard.json", tmp_path / "saves"
    file.write_bytes(spell({**TANKARD, "music": "slow"}))
    made = desk.run("new", "tankard", "--scenario", str(file))
    assert (made.code, made.err) == (0, "")
    assert made.lines[:2] == ["Left out: music", "Created a game with 7 files in tankard:"]
    assert desk.run("check", "tankard", "--strict").code == 0
    asyncio.run(play(saves, Path("tankard"), 2))
    start = export(desk, saves, "--to", "1", "--viewer", "author")
    assert only(TANKARD, {**start, "initialNarrativeTime": "Late afternoon"}) == TANKARD
    mine, everything = export(desk, saves), export(desk, saves, "--viewer", "author")
    assert everything["playerStartingLocation"] == mine["playerStartingLocation"]
    assert len(everything["characters"]) == 3
    assert "hoard" in json.dumps(everything)
    assert "hoard" not in json.dumps(mine)
    assert "Keep the peace" not in json.dumps(mine)
    later = tmp_path / "later.json"
    answer = desk.run("export", "--saves", str(saves), "-o", str(later), "--viewer", "author")
    assert answer.out == f"Wrote the scenario to {later}.\n"
    assert desk.run("new", "again", "--scenario", str(later), "--title", "Once More").code == 0
    assert desk.run("check", "again", "--strict").code == 0
    assert 'title: "Once More"' in Path("again/game.yaml").read_text("utf-8")


def test_a_game_without_a_world_has_no_scenario(console: Console) -> None:
    answer = console.run("export", NAME, "--format", "scenario", "-o", "-")
    assert (answer.code, answer.out) == (WRONG_USE, "")
    assert "has no world that a scenario could describe" in answer.err


@pytest.mark.parametrize("what", ["missing", "folder", "huge", "broken"])
def test_a_file_that_cannot_be_used_leaves_no_folder(desk: Desk, what: str) -> None:
    file = Path("scenario.json")
    match what:
        case "folder":
            file.mkdir()
        case "huge":
            with file.open("wb") as stream:
                stream.truncate(20 * 1024**3)
        case "broken":
            file.write_text('{"title": "T", "locations": []}', "utf-8")
        case _:
            assert what == "missing"
    answer = desk.run("new", "tankard", "--scenario", str(file))
    assert (answer.code, answer.out) == (WRONG_USE, "")
    assert len(answer.err.splitlines()) >= 2
    assert not Path("tankard").exists()


def test_scenario_and_rules_exclude_each_other(desk: Desk) -> None:
    answer = desk.run("new", "tankard", "--scenario", "a.json", "--rules", "d20")
    assert answer.code == WRONG_USE
    assert "cannot be combined" in answer.err


def test_any_system_may_read_scenarios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line knows no system by name."""
    monkeypatch.chdir(tmp_path)
    install(monkeypatch)
    load_systems.cache_clear()
    Path("bridge.txt").write_text("The Bridge\n", "utf-8")
    assert main(["new", "bridge", "--scenario", "bridge.txt"]) == WRONG_USE
    assert "no installed system reads scenarios" in capsys.readouterr().err
    install(monkeypatch, Entry("toll", lambda: Toll))
    load_systems.cache_clear()
    assert main(["new", "bridge", "--scenario", "bridge.txt"]) == 0
    assert "Left out: the view" in capsys.readouterr().out
    assert Path("bridge/Toll.md").read_text("utf-8") == "cart: 9\n"
    assert Path("bridge/world.md").read_text("utf-8") == "The Bridge\n"
    load_systems.cache_clear()
