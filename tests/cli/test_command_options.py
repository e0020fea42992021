"""Sayings: a turn on one line."""

import pytest

from talewright.cli import make_parser
from talewright.cli.campaign.diff_command import tell_story_line
from talewright.cli.terminal_text import shorten


def test_turn_on_one_line() -> None:
    assert tell_story_line(3, {"said": "go", "narration": "You\n go."}) == "   3  go: You go."
    assert tell_story_line(0, {}) == "   0"
    assert tell_story_line(12, {"narration": "x" * 200}) == "  12  " + "x" * 91 + "..."


@pytest.mark.parametrize(
    ("text", "cells", "short"), [("      " + "雾" * 9, 20, "      雾雾雾雾雾..."), ("      a", 20, "      a")]
)
def test_wide_characters_count_twice(text: str, cells: int, short: str) -> None:
    assert shorten(text, cells) == short


BACKWARD = {
    "tree": (),
    "diff": ("1", "2"),
    "blame": ("player.coin",),
    "replay": (),
    "verify": (),
    "inspect": ("1",),
    "export": ("-o", "a.md"),
    "cost": (),
    "undo": (),
    "fork": ("1",),
}
"""Commands that look back, or go back, with what else they need."""


@pytest.mark.parametrize("option", ["--campaign", "-c"])
@pytest.mark.parametrize("name", BACKWARD)
def test_every_command_that_looks_back_takes_the_name_of_a_campaign(name: str, option: str) -> None:
    parser = make_parser([name])
    assert parser.parse_args([name, *BACKWARD[name], option, "mine"]).campaign == "mine"
    assert parser.parse_args([name, option, "mine", *BACKWARD[name]]).campaign == "mine"
    assert parser.parse_args([name, *BACKWARD[name]]).campaign == ""


@pytest.mark.parametrize("name", ["tree", "replay", "verify", "export"])
def test_some_take_it_without_the_option_too(name: str) -> None:
    assert make_parser([name]).parse_args([name, "mine", *BACKWARD[name]]).campaign == "mine"
