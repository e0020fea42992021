"""Reports that systems offer: commands that the command line knows only from the systems."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.bootstrap.system_plugins import load_systems
from talewright.cli import WRONG_USE, main
from talewright.kernel.system import Report, ReportSubject
from tests.bootstrap.test_system_plugins import Entry, fail, install
from tests.opened import opened
from tests.pack.fault_cases import write_game
from tests.plugs.toll import Toll
from tests.warm_homes import warm

SCENE = "- id: rim\n  text: The rim.\n  choices: [{label: a}, {label: b}, {label: c}]\n"
PRICES = "cart: 3\nhorse: 2\n"


@pytest.fixture(autouse=True)
def forget_systems() -> Iterator[None]:
    load_systems.cache_clear()
    yield
    load_systems.cache_clear()


@pytest.fixture(name="game")
def make_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch, Entry("toll", lambda: Toll))
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    folder = tmp_path / "home" / "games" / "well"
    write_game(folder)
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("systems: [toll]\n")
    (folder / "Toll.md").write_text(PRICES, "utf-8")
    (folder / "scenes").mkdir()
    (folder / "scenes" / "a.yaml").write_text(SCENE, "utf-8")
    return folder


def test_reports_are_commands_that_the_help_lists(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, Entry("toll", lambda: Toll), Entry("broken", fail(ImportError("no river"))))
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert "show the 100% honest prices of a bridge" in told
    assert "show who has crossed" in told
    with pytest.raises(SystemExit):
        main(["prices", "--help"])
    told = capsys.readouterr().out
    assert "Show the 100% honest prices of a bridge. For games that use the `toll` system." in told
    assert told.endswith("example:\n  talewright prices my_game\n")
    with pytest.raises(SystemExit):
        main(["crossings", "--help"])
    told = capsys.readouterr().out
    assert told.endswith(
        "examples:\n  talewright crossings toll_road-1\n  talewright crossings toll_road-1 --svg pictures\n"
    )
    assert "draw pictures in this folder: river.svg" in " ".join(told.split())


def test_a_report_about_a_game(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prices", str(game)]) == 0
    assert capsys.readouterr().out == "for a cart\nfor a horse\n"
    assert main(["prices", str(game), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"Toll.md": {"cart": 3, "horse": 2}}


def test_a_game_with_errors_or_without_the_system_has_no_report(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (game / "game.yaml").read_text("utf-8")
    (game / "game.yaml").write_text(text.replace("systems: [toll]\n", ""), "utf-8")
    (game / "Toll.md").unlink()
    assert main(["prices", str(game)]) == WRONG_USE
    assert "does not use the system 'toll'" in capsys.readouterr().err
    (game / "game.yaml").write_text("title: [\n", "utf-8")
    assert main(["prices", str(game)]) == WRONG_USE
    assert f"talewright check {game}" in capsys.readouterr().err


@pytest.mark.process
def test_a_report_about_a_campaign_keeps_secrets_from_the_player(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> None:
        session = await opened(open_lobby(tmp_path / "saves").begin(game.name))
        await session.close()

    asyncio.run(play())
    saves = ("--saves", str(tmp_path / "saves"))
    assert main(["crossings", *saves]) == 0
    assert capsys.readouterr().out == "1: \n"
    assert main(["crossings", *saves, "--viewer", "author"]) == 0
    assert capsys.readouterr().out == "1: \nThe keeper cannot swim.\n"
    assert main(["crossings", *saves, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"said": ["1: "]}


@pytest.mark.process
def test_a_report_about_an_earlier_turn_and_its_pictures(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> None:
        session = await opened(open_lobby(tmp_path / "saves").begin(game.name))
        await session.choose((await session.view()).choices[0].id)
        await session.close()

    asyncio.run(play())
    saves = ("--saves", str(tmp_path / "saves"))
    assert main(["crossings", *saves]) == 0
    assert capsys.readouterr().out == "1: \n2: Pay for a cart\n"
    assert main(["crossings", *saves, "--at", "1"]) == 0
    assert capsys.readouterr().out == "1: \n"
    assert main(["crossings", *saves, "--at", "7"]) == WRONG_USE
    assert "there is no turn '7'" in capsys.readouterr().err
    drawn = tmp_path / "a" / "b"
    assert main(["crossings", *saves, "--viewer", "author", "--svg", str(drawn)]) == 0
    assert (drawn / "river.svg").read_text("utf-8") == "<svg/>"
    assert f"{drawn / 'river.svg'}" in capsys.readouterr().err
    assert main(["crossings", *saves, "--svg", str(tmp_path / "c")]) == WRONG_USE
    assert "--viewer author" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()
    assert main(["crossings", *saves, "--viewer", "author", "--svg", str(drawn / "river.svg")]) == WRONG_USE
    assert "could not be written" in capsys.readouterr().err


class Pushy(Toll):
    """It would take the place of a command of the engine."""

    def reports(self) -> tuple[Report, ...]:
        return (Report("check", "steal a name", ReportSubject.GAME),)


def test_a_command_of_the_engine_stays_what_it_is(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load_systems.cache_clear()
    install(monkeypatch, Entry("toll", lambda: Pushy))
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "steal a name" not in capsys.readouterr().out


def test_rules_can_be_read_while_scenes_have_errors(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game / "scenes" / "a.yaml").write_text(SCENE.replace("choices", "choises"), "utf-8")
    (game / "triggers.yaml").write_text("- {id: [\n", "utf-8")
    assert main(["prices", str(game)]) == 0
    told = capsys.readouterr()
    assert told.out == "for a cart\nfor a horse\n"
    assert f"The game in {game} has errors, but its rules can be read." in told.err
    assert f"talewright check {game}" in told.err
