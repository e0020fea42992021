"""Checkups: every finding, well and unwell."""

import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from talewright import __version__
from talewright.bootstrap import checkups, installed_systems
from talewright.bootstrap.checkups import Finding, Verdict
from talewright.errors import TalewrightError
from talewright.kernel.system import System
from talewright.pack.game_folders import write_starter
from talewright.pack.user_folders import UserFolders
from tests.bootstrap.test_models import agency
from tests.cli.oracle import consult
from tests.config.test_keys import Drawer


def test_python() -> None:
    assert checkups.check_python().verdict is Verdict.OK
    old = checkups.check_python((3, 10))
    assert (old.verdict, old.todo) == (Verdict.BAD, "Install Python 3.11 or newer.")


def test_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkups, "version", lambda name: __version__)
    assert checkups.check_package() == Finding("package", Verdict.OK, f"talewright {__version__}")
    monkeypatch.setattr(checkups, "version", lambda name: "0.0.1")
    assert checkups.check_package().verdict is Verdict.NOTE

    def miss(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(checkups, "version", miss)
    assert "run from its sources" in checkups.check_package().text


def test_games(tmp_path: Path) -> None:
    places = UserFolders(tmp_path / "saves", tmp_path / "cache", (tmp_path / "games",))
    assert [one.text for one in checkups.check_games(places, installed_systems)] == [
        "no game that can be played"
    ]
    (tmp_path / "games").mkdir()
    write_starter(tmp_path / "games" / "good", "good", "Good")
    write_starter(tmp_path / "games" / "bad", "bad", "Bad")
    (tmp_path / "games" / "bad" / "world.md").unlink()
    bad, good = checkups.check_games(places, installed_systems)
    assert (bad.verdict, bad.todo) == (Verdict.BAD, f"Run: talewright check {tmp_path / 'games' / 'bad'}")
    assert bad.text.startswith("bad does not compile: ")
    assert good == Finding("games", Verdict.OK, "good compile")

    def broken() -> Mapping[str, System]:
        raise TalewrightError("the system 'x' cannot be loaded", "Remove it.")

    assert list(checkups.check_games(places, broken)) == [
        Finding("systems", Verdict.BAD, "the system 'x' cannot be loaded", "Remove it.")
    ]


def test_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves = tmp_path / "a" / "b"
    assert checkups.check_saves(saves) == Finding("saves", Verdict.OK, f"{saves} can be written")
    assert not saves.parent.exists()

    def refuse(**about: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    bad = checkups.check_saves(saves)
    assert (bad.verdict, bad.text) == (Verdict.BAD, f"{saves} cannot be written: Permission denied")


def test_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert checkups.check_git().text == "git is not installed; campaigns are kept without it"
    monkeypatch.setattr("shutil.which", lambda name: "/somewhere/git")
    done = SimpleNamespace(stdout="git version 2.0\n")
    monkeypatch.setattr(subprocess, "run", lambda *words, **about: done)
    assert checkups.check_git() == Finding("git", Verdict.OK, "git version 2.0")

    def hang(*words: object, **about: object) -> None:
        raise subprocess.TimeoutExpired("git", 10)

    monkeypatch.setattr(subprocess, "run", hang)
    assert checkups.check_git().text == "git does not run"


@pytest.mark.parametrize(
    ("encoding", "verdict"),
    [("utf-8", Verdict.OK), ("ascii", Verdict.NOTE), ("", Verdict.NOTE), ("?", Verdict.NOTE)],
)
def test_the_terminal(encoding: str, verdict: Verdict) -> None:
    assert checkups.check_encoding(encoding).verdict is verdict


def test_the_keyring() -> None:
    hiring = agency("")
    assert checkups.check_keyring(hiring) == Finding("keyring", Verdict.OK, "the keyring answers")
    assert isinstance(hiring.keyring, Drawer)
    hiring.keyring.trouble = "locked"
    found = checkups.check_keyring(hiring)
    assert (found.verdict, found.text) == (Verdict.NOTE, "locked")


def test_models() -> None:
    (none,) = checkups.check_models(agency(""))
    assert none.text == "no model tells the games"
    (unknown,) = checkups.check_models(agency('model = "maxi"'))
    assert (unknown.verdict, unknown.text) == (Verdict.BAD, "there is no model 'maxi'")


MODELS = """
model = "own"
cheap = "key"
fallback = ["far"]
[models.own]
base_url = "{url}"
model = "oracle-1"
[models.other]
base_url = "{url}"
model = "oracle-9"
[models.key]
service = "openai"
model = "x"
[models.far]
base_url = "http://far.example/v1"
model = "x"
key = "FAR_KEY"
[models.claude]
service = "anthropic"
model = "claude-sonnet-5"
[games.a]
model = "other"
[campaigns.b]
model = "claude"
"""


def test_every_model_that_is_meant_is_looked_at() -> None:
    with consult() as oracle:
        hiring = agency(MODELS.format(url=oracle.url), FAR_KEY="sk-canary", ANTHROPIC_API_KEY="sk-canary")
        found = {one.subject: one for one in checkups.check_models(hiring)}
    assert list(found) == ["model own", "model key", "model other", "model claude", "model far"]
    assert found["model own"].verdict is Verdict.OK
    assert found["model own"].text.endswith(" answers")
    assert found["model key"].verdict is Verdict.BAD
    assert "OPENAI_API_KEY" in found["model key"].text
    assert found["model other"].verdict is Verdict.NOTE
    assert found["model other"].todo == "It offers oracle-1, oracle-2. Run: talewright setup"
    assert found["model claude"].text == "claude-sonnet-5 at api.anthropic.com; its key is there"
    assert found["model far"] == Finding(
        "model far",
        Verdict.NOTE,
        "its key goes unencrypted to far.example",
        "Use https, or a server on this machine.",
    )
    assert "sk-canary" not in repr(found)
