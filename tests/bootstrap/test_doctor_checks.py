"""Checkups: every finding, well and unwell."""

import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from talewright.bootstrap import doctor_checks, installed_systems
from talewright.bootstrap.doctor_checks import CheckupFinding, CheckupResult
from talewright.errors import TalewrightError
from talewright.kernel.system import System
from talewright.pack.game_folders import write_starter
from talewright.pack.user_folders import UserFolders
from talewright.version import __version__
from tests.bootstrap.test_provider_factory_models import factory
from tests.cli.oracle import consult
from tests.config.test_api_keys import Drawer


def test_python() -> None:
    assert doctor_checks.check_python().verdict is CheckupResult.OK
    old = doctor_checks.check_python((3, 10))
    assert (old.verdict, old.todo) == (CheckupResult.BAD, "Install Python 3.11 or newer.")


def test_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "version", lambda name: __version__)
    assert doctor_checks.check_package() == CheckupFinding(
        "package", CheckupResult.OK, f"talewright {__version__}"
    )
    monkeypatch.setattr(doctor_checks, "version", lambda name: "0.0.1")
    assert doctor_checks.check_package().verdict is CheckupResult.NOTE

    def miss(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor_checks, "version", miss)
    assert "run from its source" in doctor_checks.check_package().text


def test_games(tmp_path: Path) -> None:
    places = UserFolders(tmp_path / "saves", tmp_path / "cache", (tmp_path / "games",))
    assert [one.text for one in doctor_checks.check_games(places, installed_systems)] == [
        "no playable game found"
    ]
    (tmp_path / "games").mkdir()
    write_starter(tmp_path / "games" / "good", "good", "Good")
    write_starter(tmp_path / "games" / "bad", "bad", "Bad")
    (tmp_path / "games" / "bad" / "world.md").unlink()
    bad, good = doctor_checks.check_games(places, installed_systems)
    assert (bad.verdict, bad.todo) == (
        CheckupResult.BAD,
        f"Run: talewright check {tmp_path / 'games' / 'bad'}",
    )
    assert bad.text.startswith("bad does not compile: ")
    assert good == CheckupFinding("games", CheckupResult.OK, "good compile")

    def broken() -> Mapping[str, System]:
        raise TalewrightError("the system 'x' cannot be loaded", "Remove it.")

    assert list(doctor_checks.check_games(places, broken)) == [
        CheckupFinding("systems", CheckupResult.BAD, "the system 'x' cannot be loaded", "Remove it.")
    ]


def test_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves = tmp_path / "a" / "b"
    assert doctor_checks.check_saves(saves) == CheckupFinding(
        "saves", CheckupResult.OK, f"{saves} can be written"
    )
    assert not saves.parent.exists()

    def refuse(**about: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    bad = doctor_checks.check_saves(saves)
    assert (bad.verdict, bad.text) == (CheckupResult.BAD, f"{saves} cannot be written: Permission denied")


def test_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert doctor_checks.check_git().text == "git is not installed; campaigns are saved without it"
    monkeypatch.setattr("shutil.which", lambda name: "/somewhere/git")
    done = SimpleNamespace(stdout="git version 2.0\n")
    monkeypatch.setattr(subprocess, "run", lambda *words, **about: done)
    assert doctor_checks.check_git() == CheckupFinding("git", CheckupResult.OK, "git version 2.0")

    def hang(*words: object, **about: object) -> None:
        raise subprocess.TimeoutExpired("git", 10)

    monkeypatch.setattr(subprocess, "run", hang)
    assert doctor_checks.check_git().text == "git does not run"


@pytest.mark.parametrize(
    ("encoding", "verdict"),
    [
        ("utf-8", CheckupResult.OK),
        ("ascii", CheckupResult.NOTE),
        ("", CheckupResult.NOTE),
        ("?", CheckupResult.NOTE),
    ],
)
def test_the_terminal(encoding: str, verdict: CheckupResult) -> None:
    assert doctor_checks.check_encoding(encoding).verdict is verdict


def test_the_keyring() -> None:
    hiring = factory("")
    assert doctor_checks.check_keyring(hiring) == CheckupFinding(
        "keyring", CheckupResult.OK, "the keyring works"
    )
    assert isinstance(hiring.keyring, Drawer)
    hiring.keyring.trouble = "locked"
    found = doctor_checks.check_keyring(hiring)
    assert (found.verdict, found.text) == (CheckupResult.NOTE, "locked")


def test_models() -> None:
    (none,) = doctor_checks.check_models(factory(""))
    assert none.text == "no model is set up"
    (unknown,) = doctor_checks.check_models(factory('model = "maxi"'))
    assert (unknown.verdict, unknown.text) == (CheckupResult.BAD, "there is no model 'maxi'")


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
        hiring = factory(MODELS.format(url=oracle.url), FAR_KEY="sk-canary", ANTHROPIC_API_KEY="sk-canary")
        found = {one.subject: one for one in doctor_checks.check_models(hiring)}
    assert list(found) == ["model own", "model key", "model other", "model claude", "model far"]
    assert found["model own"].verdict is CheckupResult.OK
    assert found["model own"].text.endswith(" answers")
    assert found["model key"].verdict is CheckupResult.BAD
    assert "OPENAI_API_KEY" in found["model key"].text
    assert found["model other"].verdict is CheckupResult.NOTE
    assert found["model other"].todo == "It offers oracle-1, oracle-2. Run: talewright setup"
    assert found["model claude"].text == "claude-sonnet-5 at api.anthropic.com; its key is set"
    assert found["model far"] == CheckupFinding(
        "model far",
        CheckupResult.NOTE,
        "its key goes unencrypted to far.example",
        "Use https, or a server on this machine.",
    )
    assert "sk-canary" not in repr(found)
