"""Sayings: a turn on one line."""

import pytest

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
