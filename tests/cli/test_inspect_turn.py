"""`talewright inspect`: the record for the author, the view for the player."""

import json

from tests.cli.campaigns import Console


def test_author_sees_the_record(console: Console) -> None:
    answer = console.run("inspect", "2")
    assert answer.code == 0
    assert answer.lines[0].startswith("turn 2 on main  ")
    assert {"input", "narration", "changes", "rulings"} <= set(answer.lines)


def test_player_sees_the_view(console: Console) -> None:
    facts = json.loads(console.run("inspect", "2", "--viewer", "player", "--json").out)
    assert list(facts) == ["turn", "choices", "decisions", "end", "at"]
    text = console.run("inspect", "2", "--viewer", "player").out
    assert "digest" not in text
    assert "_engine" not in text


def test_viewer_must_be_one(console: Console) -> None:
    assert console.run("inspect", "2", "--viewer", "god").code == 2
