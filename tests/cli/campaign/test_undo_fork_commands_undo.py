"""`talewright undo`: back, and nothing deleted."""

import json
from collections.abc import Callable

import pytest

from tests.cli.campaigns import NAME, TURNS, Answer, Console
from tests.cli.desk import Desk


def test_undo_goes_back_and_keeps_the_turns(own_console: Console) -> None:
    answer = own_console.run("undo", "--no-git")
    assert answer.code == 0
    assert answer.lines[0] == f"{NAME} is now at turn {TURNS} on the branch main."
    assert answer.lines[-1] == f"Continue: talewright play --campaign {NAME}"
    facts = json.loads(own_console.run("undo", "2", "--json", "-c", NAME, "--no-git").out)
    assert facts["version"] == TURNS - 2
    assert len(json.loads(own_console.run("tree", "--json").out)["turns"]) == TURNS + 2
    assert own_console.run("verify").code == 0


def test_undo_retry_and_branches_overwrite_no_byte_of_the_record(desk: Desk, own_console: Console) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    saves = ("--saves", str(own_console.saves), "--no-git")
    play = ("play", "--campaign", NAME, "--no-model", "--plain", *saves)
    acts: tuple[Callable[[], Answer], ...] = (
        lambda: own_console.run("undo", "2", "--no-git"),
        lambda: own_console.run("fork", "1", "--no-git"),
        lambda: desk.run(*play, typed="1\n/save here\n/undo\n/load here\n"),
        lambda: desk.run(*play, typed="1\n/retry 2\n"),
    )
    for act in acts:
        before = chronicle.read_bytes()
        assert act().code == 0
        after = chronicle.read_bytes()
        assert after.startswith(before)
        assert len(after) > len(before)
    assert own_console.run("verify").code == 0


@pytest.mark.parametrize("turns", ["0", "-1", "x", "1001"])
def test_number_of_turns_is_a_number(own_console: Console, turns: str) -> None:
    assert own_console.run("undo", turns).code == 2


def test_no_campaign_to_undo(own_console: Console) -> None:
    empty = Console(own_console.saves / "empty", own_console.capsys)
    answer = empty.run("undo")
    assert answer.code == 2
    assert "there is no campaign yet" in answer.err
