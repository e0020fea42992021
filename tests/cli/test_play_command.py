"""`talewright play` as a player meets it: names, paths, languages, and the pipe's end."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from talewright import bootstrap
from talewright.cli import WRONG_USE, main
from talewright.pack.game_folders import write_starter
from tests.warm_homes import warm

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def live_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "TALEWRIGHT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bootstrap, "new_secret", lambda: bytes(32))


@pytest.fixture(name="run")
def make_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    return Run(monkeypatch, capsys)


class Run:
    """Plays with what is typed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: str, typed: str = "", code: int = 0) -> str:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert main(["play", *words, "--no-git"]) == code
        captured = self._capsys.readouterr()
        assert "Traceback" not in captured.err
        return captured.out + captured.err


def test_the_pipe_ends_and_the_story_goes_on_later(run: Run, tmp_path: Path) -> None:
    first = run("mist_harbor", "--language", "en", typed="1\n")
    saves = tmp_path / "home" / "saves"
    assert first.startswith("Mist Harbor Echoes\n\nMist Harbor, ten past eight in the evening.\n")
    assert first.endswith(
        f"\n\nYour story is saved as mist_harbor-1 in {saves}.\n"
        "To continue: talewright play --campaign mist_harbor-1\n"
    )
    then = run("mist_harbor")
    assert then.startswith(
        "Continuing mist_harbor-1. To start a new campaign: talewright play mist_harbor --new\n"
    )
    assert "You line up five coins." in then
    assert run("--campaign", "mist_harbor-1").startswith("Mist Harbor Echoes\n\nYou line up five coins.")
    assert run("mist_harbor-1") == run("--campaign", "mist_harbor-1")


def test_the_first_words_are_the_same_with_a_curtain_and_without(run: Run) -> None:
    without = run("mist_harbor", "--language", "en")
    curtain = run("mist_harbor", "--language", "en", "--new")
    assert strip_receipt(curtain) == strip_receipt(without).replace("mist_harbor-1", "mist_harbor-2")


def strip_receipt(told: str) -> str:
    """What was told without the receipt, which is another for every campaign."""
    return re.sub("talewright-receipt-1:[0-9a-f:]+", "", told)


def test_a_new_campaign_shows_its_first_receipt(run: Run) -> None:
    told = run("mist_harbor", "--language", "en")
    line = next(line for line in told.splitlines() if line.startswith("talewright-receipt-1:1:"))
    assert "Dice receipt of mist_harbor-1;" in told
    # It does not stand between the opening and the choices.
    assert told.index(line) > told.index("\n1. ")
    assert main(["verify", "mist_harbor-1", "--receipt", line]) == 0
    # Once is enough.
    assert "talewright-receipt" not in run("mist_harbor-1")


def test_the_terminal_says_the_language(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # No language, or one that the game has not: English.
    for locale in ("", "C.UTF-8", "de_DE.UTF-8", "en_US.UTF-8"):
        monkeypatch.setenv("LANG", locale)
        assert run("mist_harbor", "--new").startswith("Mist Harbor Echoes\n")
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    assert run("mist_harbor", "--new").startswith("雾港回声\n")
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert run("mist_harbor", "--new", "--language", "zh").startswith("雾港回声\n")
    refused = run("mist_harbor", "--new", "--language", "fr", code=WRONG_USE)
    assert refused == "talewright: this game is not available in 'fr'\nIt is available in zh-CN, en.\n"


def test_a_game_of_ones_own_by_path_and_by_name(run: Run, tmp_path: Path) -> None:
    write_starter(tmp_path / "salt_road", "salt_road", "Salt Road")
    assert run("./salt_road").startswith("Salt Road\n")
    told = run("salt_road", "--campaign", "mine", "--saves", str(tmp_path / "else where"))
    assert told.startswith("Salt Road\n")
    assert told.endswith(f"talewright play --campaign mine --saves '{tmp_path / 'else where'}'\n")
    assert (tmp_path / "else where" / "mine" / "chronicle.jsonl").is_file()
    (tmp_path / "home" / "games").mkdir()
    (tmp_path / "salt_road").rename(tmp_path / "home" / "games" / "salt_road")
    assert run("salt_road").startswith("Continuing salt_road-1.")


def test_an_unknown_name_gets_the_nearest(run: Run) -> None:
    told = run("mist_habror", code=WRONG_USE)
    assert told == "talewright: there is no game 'mist_habror'\nDid you mean mist_harbor?\n"


def test_the_menu_begins_and_goes_on(run: Run) -> None:
    shown = run("--language", "en", typed="/quit\n")
    assert shown.startswith("New games:\n1. ")
    assert "(mist_harbor; zh-CN, en)" in shown
    number = next(line for line in shown.splitlines() if "mist_harbor" in line).partition(".")[0]
    assert "Mist Harbor, ten past eight" in run("--language", "en", typed=f"{number}\n")
    again = run("--language", "en", typed="1\n")
    assert again.startswith("Your campaigns:\n1. Mist Harbor Echoes, mist_harbor-1 (last played ")
    assert "Mist Harbor, ten past eight" in again


def test_a_bug_is_a_sentence_and_shows_where_only_if_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> str:
        raise ZeroDivisionError("by a dragon")

    monkeypatch.setattr(bootstrap, "new_id", fail)
    told = run("mist_harbor", "--language", "en", code=1)
    assert "Something went wrong: ZeroDivisionError: by a dragon\n" in told
    monkeypatch.setenv("TALEWRIGHT_DEBUG", "1")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["play", "mist_harbor", "--new"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.process
def test_a_game_begins_without_what_only_later_turns_need() -> None:
    code = (
        "import sys, talewright.cli as cli\n"
        "cli.main(['play', 'mist_harbor', '--language', 'en', '--no-git'])\n"
        "late = {'statistics', 'fractions', 'decimal', 'random', 'tempfile', 'tomllib', 'html.entities'}\n"
        "print(*sorted(late & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert "1. Pay five and take the sheet" in done.stdout
    assert done.stdout.endswith("\n\n"), done.stdout.splitlines()[-1]
