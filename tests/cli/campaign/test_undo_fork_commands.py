"""`talewright fork`: on from an old turn, on a branch of its own."""

import json

from tests.cli.campaigns import NAME, TURNS, Console


def test_fork_begins_a_branch(own_console: Console) -> None:
    answer = own_console.run("fork", "3", "--name", "what-if", "--no-git")
    assert answer.code == 0
    assert answer.lines[0] == f"{NAME} is now at turn 3 on the branch what-if."
    tree = json.loads(own_console.run("tree", "--json").out)
    assert tree["branch"] == "what-if"
    assert set(tree["branches"]) == {"main", "what-if"}
    assert own_console.run("fork", "main", "--json", "--no-git").code == 0
    assert json.loads(own_console.run("tree", "--json").out)["head"] == tree["branches"]["main"]
    assert own_console.run("verify").code == 0


def test_unknown_turn_is_refused(own_console: Console) -> None:
    answer = own_console.run("fork", "nowhere")
    assert answer.code == 2
    assert f"0 to {TURNS + 1} on the branch 'main'" in answer.err
