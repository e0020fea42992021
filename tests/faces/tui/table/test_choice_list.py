"""Choices as they are drawn."""

import pytest

from talewright.faces.tui.table.choice_list import draw_choice
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import ChoiceView

ENGLISH = table_words("en")
CHINESE = table_words("zh-CN")

CHOICE = ChoiceView("in", "Go in", "It is dark.", "medium")


def lines_of(choice: ChoiceView, width: int, *, spare: bool = False, number: int = 1) -> list[str]:
    return draw_choice(number, choice, ENGLISH, width, spare=spare).plain.splitlines()


def test_everything_beside_the_label_where_there_is_room() -> None:
    assert lines_of(CHOICE, 60) == ["1  Go in  △ some risk  It is dark."]


def test_hint_below_the_label_where_there_is_not() -> None:
    assert lines_of(CHOICE, 30) == ["1  Go in", "   △ some risk  It is dark."]
    assert lines_of(CHOICE, 20) == ["1  Go in", "   △ some risk  It", "   is dark."]


def test_one_line_where_lines_are_spared() -> None:
    assert lines_of(CHOICE, 24, spare=True) == ["1  Go in  △ some risk  …"]


def test_low_risk_and_no_hint_say_nothing() -> None:
    assert lines_of(ChoiceView("wait", "Wait"), 30) == ["1  Wait"]
    assert lines_of(ChoiceView("jump", "Jump", "", "high"), 30) == ["1  Jump  ▲ high risk"]


def test_beyond_nine_there_is_no_key() -> None:
    assert lines_of(ChoiceView("wait", "Wait"), 30, number=10) == ["·  Wait"]


@pytest.mark.parametrize("width", [10, 20, 33, 60])
@pytest.mark.parametrize("spare", [True, False])
def test_never_too_wide(width: int, spare: bool) -> None:
    choice = ChoiceView("x", "把纸烟推过去，聊聊码头的风声", "烟没了，话就来了。", "high")
    drawn = draw_choice(3, choice, CHINESE, width, spare=spare)
    assert all(line.cell_length <= width for line in drawn.split("\n"))


def test_hostile_label_stays_words() -> None:
    drawn = draw_choice(1, ChoiceView("x", "[b]a[/b]\x1b[2J\n", "\u202ehint"), ENGLISH, 60, spare=False).plain
    assert drawn.startswith("1  [b]a[/b]")
    assert not {"\x1b", "\u202e"} & set(drawn)
