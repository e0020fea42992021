"""`talewright world`: the report about a campaign at any of its turns, from the command line."""

import asyncio
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from talewright.bootstrap import open_game_library, open_lobby
from talewright.cli import main
from talewright.play.history import campaign_reports
from tests.opened import opened
from tests.systems.world.making import FOLDER
from tests.warm_homes import warm

CHOICES = ("world.talk-grim", "world.go-square", "world.wait-long")
SECRET = bytes(range(32))


@pytest.fixture(name="saves")
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))

    async def run() -> None:
        shelf = open_game_library()
        game = shelf.admit(str(FOLDER)).game.id
        lobby = open_lobby(tmp_path / "saves", shelf=shelf, git=False, language="en", secret=SECRET)
        session = await opened(lobby.begin(game))
        for choice in CHOICES:
            await session.choose(choice)
        await session.close()

    asyncio.run(run())
    return str(tmp_path / "saves")


def test_the_true_state_at_any_turn(saves: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", "--saves", saves]) == 0
    assert "plan hide_coins: done Mon 20:30" in capsys.readouterr().out
    assert main(["world", "--saves", saves, "--at", "2"]) == 0
    told = capsys.readouterr().out
    assert "plan hide_coins: 0 of 2 steps" in told
    assert "Wren, at The Dusty Tankard" in told
    assert main(["world", "--saves", saves, "--at", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"]["at"] == "square"


def test_the_player_may_ask_too(saves: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", "--saves", saves, "--viewer", "player"]) == 0
    told = capsys.readouterr().out
    assert "heard from Grim" in told
    assert "false coins" not in told
    assert "Ann" not in told


def test_pictures_are_drawn_into_a_folder(
    saves: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["world", "--saves", saves, "--svg", str(tmp_path / "drawn")]) == 0
    files = sorted((tmp_path / "drawn").iterdir())
    assert [file.name for file in files] == ["knowledge.svg", "timeline.svg"]
    for file in files:
        assert ElementTree.parse(file).getroot().tag.endswith("svg")


def test_a_report_that_takes_too_long_is_refused(
    saves: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign_reports, "REPORT_WORK_MAX", 10)
    assert main(["world", "--saves", saves]) == 2
    assert "the rules of this game take more than 10 steps here" in capsys.readouterr().err


def test_the_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["world", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert told.endswith("talewright world dusty_tankard-1 --svg pictures")
    assert "(default: author)" in told
