"""`talewright diff`: the state in words and as a patch, the story of each side."""

import json

import jsonpatch

from tests.cli.campaigns import Console


def test_difference_in_words(console: Console) -> None:
    answer = console.run("diff", "1", "3")
    assert answer.code == 0
    assert answer.lines[0].startswith("from turn 1 (")
    assert "  Coins 12 -> 7" in answer.lines or any("->" in line for line in answer.lines)
    assert "only after, since turn 1:" in answer.lines
    assert [line.split()[0] for line in answer.lines[-2:]] == ["2", "3"]
    assert "only before" not in answer.out
    assert all(len(line) <= 120 for line in answer.lines[-2:])


def test_nothing_differs_from_itself(console: Console) -> None:
    assert console.run("diff", "2", "2").lines[1:] == ["  no change in the state"]


def test_patch_leads_from_one_state_to_the_other(console: Console) -> None:
    report = json.loads(console.run("diff", "0", "camp", "--json", "--viewer", "author").out)
    assert report["before"]["version"] == 0
    assert len(report["after"]["turns"]) == report["after"]["version"]
    root = json.loads(console.run("inspect", "0", "--json").out)["body"]["root"]["document"]
    saved = json.loads(console.run("saves", "export", "mist_harbor-1", "-").out)
    assert jsonpatch.apply_patch(root, report["patch"]) == saved["state"]


def test_player_sees_nothing_hidden(console: Console) -> None:
    report = json.loads(console.run("diff", "0", "main", "--json").out)
    assert not [op for op in report["patch"] if op["path"].startswith("/_engine")]


def test_unknown_turn_is_refused(console: Console) -> None:
    answer = console.run("diff", "1", "99")
    assert answer.code == 2
    assert "there is no turn '99'" in answer.err
    assert "talewright tree" in answer.err
