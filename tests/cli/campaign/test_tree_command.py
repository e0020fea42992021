"""`talewright tree`: drawn for any terminal, and as JSON."""

import json

import pytest

from talewright.cli.campaign.tree_command import choose_strokes
from talewright.play.history.turn_tree import ASCII, UNICODE
from tests.cli.campaigns import NAME, TURNS, Console


def test_tree_of_the_last_campaign(console: Console) -> None:
    answer = console.run("tree", "--ascii")
    assert answer.code == 0
    assert answer.lines[0].startswith("o 0  ")
    assert answer.lines[1] == f": {TURNS} turns"
    assert answer.lines[2].startswith(f"@ {TURNS + 1}  ")
    assert "[main] (camp)" in answer.lines[2]
    assert answer.err == ""


def test_tree_with_every_turn(console: Console) -> None:
    answer = console.run("tree", NAME, "--all", "--ascii")
    assert [line.split()[1] for line in answer.lines] == [str(number) for number in range(TURNS + 2)]


def test_tree_as_json(console: Console) -> None:
    tree = json.loads(console.run("tree", "--json").out)
    assert tree["campaign"] == NAME
    assert len(tree["turns"]) == TURNS + 2
    assert tree["marks"] == {"camp": tree["head"]}


@pytest.mark.parametrize(
    ("encoding", "strokes"),
    [("utf-8", UNICODE), ("ascii", ASCII), ("latin-1", ASCII), (None, ASCII), ("x", ASCII)],
)
def test_signs_are_those_the_output_can_show(encoding: str | None, strokes: object) -> None:
    assert choose_strokes(encoding) is strokes


def test_unknown_campaign_is_refused(console: Console) -> None:
    answer = console.run("tree", "nobody")
    assert answer.code == 2
    assert "nobody" in answer.err
    assert answer.out == ""


def test_damaged_campaign_is_drawn_as_far_as_it_is_good(own_console: Console) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    data = bytearray(chronicle.read_bytes())
    data[len(data) // 2] ^= 1
    chronicle.write_bytes(bytes(data))
    answer = own_console.run("tree", "--ascii")
    assert answer.code == 2
    assert answer.lines[0].startswith("o 0  ")
    assert answer.lines[-1].startswith("@ ")
    assert "is damaged (chronicle.jsonl, byte " in answer.err
    assert f"talewright saves recover {NAME}" in answer.err
