"""`talewright inspect`: the record for the author, the view for the player."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.campaign.test_cost_command import play
from tests.cli.campaigns import Console
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle


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


def test_a_turn_that_a_model_told_is_taken_apart(desk: Desk, oracle: Oracle) -> None:
    play(desk, oracle, "I hum an old song to myself", "I count the stars twice")
    lines = desk.run("inspect", "3").lines
    assert {"sections", "lore", "prefix", "replies", "cost"} <= set(lines)
    # What is told in words is not told once more as it is recorded.
    assert not {"exchanges", "usage"} & set(lines)
    text = "\n".join(lines)
    for told in (
        "  tokens   bytes  weight  part",
        "\n  the same as in turn 2 up to byte ",
        ", in the part turn 2\n",
        "\n  there already  the_toll (in view)\n",
        "\n  1. tell (oracle-1): 1000 tokens read, 400 of them cached, 50 written, stopped: end\n",
        '\n     | {"narrative_markdown": "The lamp gutters."',
        "\n  $0.0013; 1 request, 1000 tokens read, 400 of them cached, 50 written",
    ):
        assert told in text
    assert "[STATE]" not in text
    assert "          | [STATE]" in desk.run("inspect", "3", "--prompt").lines


def test_the_page_shows_what_is_printed(desk: Desk, oracle: Oracle) -> None:
    """Figures may be others; everything else in the page is as a campaign of two turns prints it."""
    page = (Path(__file__).parents[3] / "docs" / "play" / "looking_back.md").read_text("utf-8")
    shown = page.partition("```text\n")[2].partition("```")[0].splitlines()
    play(desk, oracle, "I hum an old song to myself", "I count the stars twice")
    lines = desk.run("inspect", "3").lines
    printed = [LONG if line.startswith(LONG) else line for line in lines[lines.index("sections") :]]
    assert [mask(line) for line in shown] == [mask(line) for line in printed]


LONG = '     | {"narrative_markdown": "The lamp gutters."'
"""Of the reply no more than this is shown in the page."""


def mask(line: str) -> str:
    return " ".join(re.sub(r"[0-9]+", "0", line).split())


def test_the_same_as_data_and_nothing_of_it_for_a_player(desk: Desk, oracle: Oracle) -> None:
    play(desk, oracle, "I hum an old song to myself", "I count the stars twice")
    facts = json.loads(desk.run("inspect", "3", "--json").out)
    assert facts["sections"]["differs_from_record"] is False
    assert {"name", "tokens", "bytes", "weight"} == set(facts["sections"]["parts"][0])
    assert {"id": "the_toll", "told": False, "why": "in view", "detail": ""} in facts["lore"]
    assert (facts["prefix"]["difference"]["kept"], facts["prefix"]["difference"]["part"]) == (True, "turn 2")
    assert facts["replies"][0]["usage"]["cached_tokens"] == 400
    assert facts["cost"]["dollars"] == pytest.approx(0.0013)
    assert "text" in json.loads(desk.run("inspect", "3", "--json", "--prompt").out)["sections"]["parts"][0]
    for viewer in ("player", "master"):
        shown = json.loads(desk.run("inspect", "3", "--viewer", viewer, "--json", "--prompt").out)
        assert list(shown) == ["turn", "choices", "decisions", "end", "at"]
        assert "[STATE]" not in desk.run("inspect", "3", "--viewer", viewer, "--prompt").out
