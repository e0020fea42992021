"""The record of a turn as lines."""

import pytest

from talewright.faces.tui.history.inspector_screen import (
    LINES_SHOWN_MAX,
    find_lines,
    mark,
    name_part,
    read_lines,
    step_to,
)
from talewright.faces.tui.words.history_words import history_words
from talewright.play.campaign_past import InspectionPart

ENGLISH = history_words("en")
CHINESE = history_words("zh-CN")


def test_lines_in_words_and_as_recorded() -> None:
    part = InspectionPart("reply", ("a\tb", "[red]c\x1b[2J\nd"), {"x": ["雾"]})
    assert read_lines(part, False, ENGLISH) == ("a    b", "[red]c[2J", "d")
    assert read_lines(part, True, ENGLISH) == ("{", '  "x": [', '    "雾"', "  ]", "}")


def test_part_without_a_record_of_its_own_stays_in_words() -> None:
    assert read_lines(InspectionPart("cost", ("one",)), True, ENGLISH) == ("one",)


def test_empty_part() -> None:
    assert read_lines(InspectionPart("repairs", ()), False, ENGLISH) == ("Nothing is recorded here.",)


def test_endless_part_is_cut() -> None:
    lines = read_lines(InspectionPart("x", ("a",) * (LINES_SHOWN_MAX + 3)), False, ENGLISH)
    assert len(lines) == LINES_SHOWN_MAX + 1
    assert lines[-1] == "(3 more)"


def test_names() -> None:
    assert name_part(InspectionPart("sections", ()), CHINESE) == "提示词"
    assert name_part(InspectionPart("of my\x1b own", ()), ENGLISH) == "of my own"


def test_found_words_are_marked_whatever_the_case() -> None:
    assert [(span.start, span.end) for span in mark("aBab", "AB").spans] == [(0, 2), (2, 4)]
    assert mark("abc", "").spans == []
    assert mark("ẞ ab", "ab").spans == [], "folded it is longer than it was"


def test_lines_are_found() -> None:
    assert find_lines(("One", "two", "none"), "ONE") == (0, 2)
    assert find_lines(("One",), "") == ()


@pytest.mark.parametrize(
    ("at", "step", "place"), [(0, 1, 0), (3, 1, 0), (4, 1, 1), (9, 1, 0), (9, -1, 1), (4, -1, 0), (2, -1, 1)]
)
def test_search_goes_around(at: int, step: int, place: int) -> None:
    assert step_to((3, 8), at, step) == place
