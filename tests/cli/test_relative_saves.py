"""Saves named by a relative path: git keeps its copy there too, and what is lost comes back from it."""

from pathlib import Path

import pytest

from tests.cli.desk import Desk

pytestmark = pytest.mark.process

NAME = "mist_harbor-1"


@pytest.mark.parametrize("how", ["option", "home"])
def test_an_emptied_chronicle_comes_back_from_git(desk: Desk, how: str) -> None:
    saves, words = Path("campaigns"), ["--saves", "campaigns"]
    if how == "home":
        desk.monkeypatch.setenv("TALEWRIGHT_HOME", "mine")
        saves, words = Path("mine/saves"), []
    desk.run("play", "mist_harbor", "--plain", "--no-model", *words, typed="1\n1\n")
    chronicle = saves / NAME / "chronicle.jsonl"
    good = chronicle.read_bytes()
    assert len(good.splitlines()) > 3
    assert sorted(path.name for path in (saves / NAME).iterdir() if path.is_dir()) == [
        ".git",
        "games",
        "snapshots",
    ]
    chronicle.write_bytes(b"")
    assert desk.run("saves", "recover", NAME, *words).code == 0
    assert chronicle.read_bytes() == good


def test_the_doctor_says_that_git_holds_no_copy(desk: Desk) -> None:
    desk.run("play", "mist_harbor", "--plain", "--no-model", "--no-git", typed="1\n1\n")
    told = desk.run("doctor").out
    assert f"note  git: campaign {NAME}: git has no copy of it\n      Play a turn without --no-git" in told
    desk.run("play", "--campaign", NAME, "--plain", "--no-model", typed="1\n")
    assert f"campaign {NAME}" not in desk.run("doctor").out
    desk.run("play", "--campaign", NAME, "--plain", "--no-model", "--no-git", typed="1\n")
    assert f"note  git: campaign {NAME}: git has only its first turns" in desk.run("doctor").out
    (desk.home / "saves" / NAME / ".git" / "config").write_text("[core]\n\tfsmonitor = x\n")
    assert f"note  git: campaign {NAME}: git has no copy of it: " in desk.run("doctor").out
