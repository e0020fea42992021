"""`talewright undo`: back, and nothing deleted."""

import json

import pytest

from tests.cli.campaigns import NAME, TURNS, Console


def test_undo_goes_back_and_keeps_the_turns(own_console: Console) -> None:
    answer = own_console.run("undo", "--no-git")
    assert answer.code == 0
    assert answer.lines[0] == f"{NAME} is now at turn {TURNS} on the branch main."
    assert answer.lines[-1] == f"Continue: talewright play --campaign {NAME}"
    facts = json.loads(own_console.run("undo", "2", "--json", "-c", NAME, "--no-git").out)
    assert facts["version"] == TURNS - 2
    assert len(json.loads(own_console.run("tree", "--json").out)["turns"]) == TURNS + 2
    assert own_console.run("verify").code == 0


@pytest.mark.parametrize("turns", ["0", "-1", "x", "1001"])
def test_number_of_turns_is_a_number(own_console: Console, turns: str) -> None:
    assert own_console.run("undo", turns).code == 2


def test_no_campaign_to_undo(own_console: Console) -> None:
    empty = Console(own_console.saves / "empty", own_console.capsys)
    answer = empty.run("undo")
    assert answer.code == 2
    assert "there is no campaign yet" in answer.err
