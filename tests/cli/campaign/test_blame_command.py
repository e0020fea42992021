"""`talewright blame`: the turn, the cause and the roll behind a value."""

import json

import pytest

from tests.cli.campaigns import Console


def test_last_turn_that_set_a_variable(console: Console) -> None:
    answer = console.run("blame", "energy")
    assert answer.code == 0
    assert answer.lines[0].startswith("turn ")
    assert any(line.startswith("  by   ") for line in answer.lines)
    assert any(line.startswith("  said ") for line in answer.lines)
    assert sum(line.startswith("turn ") for line in answer.lines) == 1


def test_all_the_way_back(console: Console) -> None:
    answer = console.run("blame", "Energy", "--all")
    assert answer.lines[-2].startswith("turn 0 (")
    count = sum(line.startswith("turn ") for line in answer.lines)
    assert count > 2
    assert sum(line.startswith("turn ") for line in console.run("blame", "energy", "-n", "2").lines) == 2


def test_blame_as_json_for_the_author(console: Console) -> None:
    report = json.loads(console.run("blame", "energy", "--json", "--viewer", "author").out)
    assert report["path"] == "energy"
    (origin,) = report["set_by"]
    assert origin["move"].startswith(("dec energy", "inc energy"))
    assert "scene:" in origin["cause"]


def test_blame_at_an_old_turn(console: Console) -> None:
    assert console.run("blame", "energy", "--at", "0").lines[0].startswith("turn 0 (")


@pytest.mark.parametrize("path", ["nothing", "_engine.scene", "a..b"])
def test_what_cannot_be_seen_is_refused(console: Console, path: str) -> None:
    answer = console.run("blame", path)
    assert answer.code == 2
    assert f"there is no visible variable {path!r}" in answer.err


def test_number_of_turns_is_a_number(console: Console) -> None:
    assert console.run("blame", "energy", "-n", "0").code == 2
