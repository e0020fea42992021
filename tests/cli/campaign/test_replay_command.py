"""`talewright replay`: turns per second, and the exit code where a state is wrong."""

import json

import pytest

from talewright.cli.campaign import replay_command as command
from talewright.play.verify.campaign_replay import Replay, ReplayMismatch
from tests.cli.campaigns import NAME, TURNS, Console


def test_all_digests_are_equal(console: Console) -> None:
    answer = console.run("replay")
    assert answer.code == 0
    assert answer.lines[0] == f"{NAME}: main to turn {TURNS + 1}"
    assert answer.lines[1].startswith(f"{TURNS + 2} states in ")
    assert answer.lines[1].endswith(" turns per second), all digests equal")


def test_replay_as_json(console: Console) -> None:
    report = json.loads(console.run("replay", NAME, "--json").out)
    assert report["turns"] == TURNS + 2
    assert report["branches"] == {"main": TURNS + 1}
    assert report["turns_per_second"] > 0
    assert report["mismatches"] == []


def test_wrong_state_is_told(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wrong(*_: object) -> Replay:
        return Replay(3, {"main": 2}, (ReplayMismatch("abc", "main", 1, "its changes lie"),))

    monkeypatch.setattr(command, "replay", wrong)
    answer = console.run("replay")
    assert answer.code == 1
    assert answer.lines[0] == "turn 1 on main (abc): its changes lie"
    assert answer.lines[-1] == f"Run `talewright verify {NAME}`, then `talewright saves recover {NAME}`."
    assert json.loads(console.run("replay", "--json").out)["mismatches"][0]["commit"] == "abc"
