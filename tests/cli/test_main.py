"""The command line as a whole: help, wrong use, exit codes, and readers that stop reading."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.cli import WRONG_USE, find_reports, main, make_overview, make_parser
from talewright.cli.help.command_table import COMMAND_GROUPS, COMMANDS
from talewright.version import __version__
from tests.processor_speed import measure_slowdown

ROOT = Path(__file__).parents[2]
NAMES = list(COMMANDS)
CHECK_SECONDS_MAX = 1.0


def leave(*words: str) -> object:
    """The exit code with which argparse ends the program."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return ended.value.code


def run_program(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "talewright", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_commands_are_those_that_were_promised() -> None:
    assert {title: " ".join(commands) for title, commands in COMMAND_GROUPS.items()} == {
        "play": "play serve mcp saves undo fork roll odds doctor",
        "look back on a campaign": "tree diff blame inspect export verify replay receipt",
        "write games": "new check schema",
        "models": "setup models exam cost",
        "run a host": "worker admin",
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_command_helps_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert leave(name, "--help") == 0
    told = capsys.readouterr().out
    assert f"talewright {name} " in told.partition("example")[2]
    assert max(map(len, told.splitlines())) <= 80


def test_the_program_helps_with_all_commands_in_groups_and_with_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert leave("--help") == 0
    told = capsys.readouterr().out
    parts = {part.partition(":\n")[0]: part for part in told.split("\n\n")}
    for title, commands in COMMAND_GROUPS.items():
        for name in commands:
            assert f"\n  {name} " in parts[title]
    # The commands of systems stand where they belong.
    assert "\n  rules " in parts["write games"]
    assert "\n  rolls " in parts["look back on a campaign"]
    assert "\n  talewright play mist_harbor " in parts["examples"]
    assert "open your browser" in parts["play"]
    assert max(map(len, told.splitlines())) <= 80


def test_the_overview_says_of_every_command_what_it_says_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert make_overview(find_reports()).format_help() == make_parser().format_help()


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--version") == 0
    assert capsys.readouterr().out == f"talewright {__version__}\n"


WRONG = {
    "unknown command": (("chekc", "x"), "invalid choice: 'chekc'"),
    "no game": (("check",), "GAME"),
    "unknown option": (("check", "x", "--loud"), "--loud"),
    "unknown kind": (("schema", "scene"), "invalid choice: 'scene'"),
    "no folder": (("new",), "FOLDER"),
}


@pytest.mark.parametrize(("words", "told"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_told_on_the_error_stream(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave(*words) == WRONG_USE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert captured.err.startswith("usage: talewright")


def test_an_error_with_a_hint_is_told_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere"]) == WRONG_USE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "talewright: there is no game 'nowhere'\nAvailable: chapel_watch, dusty_tankard, goblin_road, "
        "lantern_road, mist_harbor, solo. You can also give the path of a folder with a game.yaml.\n"
    )


@pytest.mark.process
def test_the_module_is_the_program() -> None:
    done = run_program("check", str(ROOT / "games/lantern_road"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("no faults (14 scenes, 4 triggers, 6 endings, in en and zh-CN)\n")


@pytest.mark.process
def test_a_reader_that_stops_reading_is_no_error() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "talewright", "schema", "game"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    # Nothing is read at all: the pipe is shut before anything can be written to it.
    program.stdout.close()
    told = program.stderr.read()
    program.stderr.close()
    assert (program.wait(60), told) == (0, b"")


@pytest.mark.process
def test_a_terminal_that_knows_no_chinese_is_told_numbers(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game_id: 井\ntitle: 井\n", "utf-8")
    (tmp_path / "world.md").write_text("A well.\n", "utf-8")
    done = run_program("check", str(tmp_path), env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 1
    assert 'found "\\u4e95"' in done.stdout
    assert done.stderr == ""


def test_streams_of_any_kind_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["schema"]) == 0
    assert stream.getvalue().startswith("game ")


def take_seconds(*words: str) -> float:
    """Processor time of the whole program, imports included; other programs on the machine do not count."""
    before = os.times()
    assert run_program(*words).returncode == 0
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.process
@pytest.mark.parametrize("name", ["lantern_road", "mist_harbor"])
def test_a_game_is_checked_within_a_second(name: str) -> None:
    # The first run may have to compile the modules, and a busy machine slows every one.
    for _ in range(3):
        taken = take_seconds("check", str(ROOT / "games" / name))
        slowdown = measure_slowdown()
        print(f"games/{name}: {taken:.2f} s on a machine {slowdown:.2f} times slower than usual")
        if taken < CHECK_SECONDS_MAX * slowdown:
            return
    pytest.fail(f"three times more than {CHECK_SECONDS_MAX} s")


@pytest.mark.process
@pytest.mark.parametrize(("name", "systems"), [("mist_harbor", ""), ("goblin_road", "tabletop")])
def test_checking_a_game_loads_only_its_own_systems(name: str, systems: str) -> None:
    code = (
        f"import sys; from talewright.cli import main; main(['check', 'games/{name}']);"
        "print(*{name.split('.')[2] for name in sys.modules if name.startswith('talewright.systems.')})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == systems


@pytest.mark.process
def test_asking_for_the_version_loads_no_command() -> None:
    code = (
        "import sys, talewright.cli as cli\n"
        "try:\n    cli.main(['--version'])\n"
        "finally:\n    print(*(name for name in sys.modules if name.startswith('talewright.kernel')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"talewright {__version__}", ""]


@pytest.mark.process
def test_the_overview_loads_neither_dataclasses_nor_settings() -> None:
    """They take longer to import than everything else that it does."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import talewright.cli as cli\n"
        "try:\n    cli.main(['--help'])\n"
        "finally:\n    print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "talewright.bootstrap.reports.installed_reports" in loaded
    assert loaded.isdisjoint({"dataclasses", "inspect", "talewright.config", "talewright.errors"})
