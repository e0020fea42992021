"""Rows of the tree."""

import pytest

from talewright.faces.tui.history.tree_list import DEPTH_SHOWN_MAX, count_turns_back, draw_row, find_here
from talewright.faces.tui.words.history_words import history_words
from talewright.play.campaign_past import TreeRow

ENGLISH = history_words("en")
CHINESE = history_words("zh-CN")

ROWS = (
    TreeRow(0, "c1", 1),
    TreeRow(0, skipped=3),
    TreeRow(0, "c5", 5),
    TreeRow(1, "d6", 6, forks=True),
    TreeRow(2, "e7", 7, forks=True),
    TreeRow(1, "d7", 7),
    TreeRow(0, "c6", 6),
    TreeRow(0, "c7", 7, here=True),
    TreeRow(0, "c8", 8),
)


@pytest.mark.parametrize(
    ("at", "turns"), [(0, 6), (1, 0), (2, 2), (3, 0), (4, 0), (5, 0), (6, 1), (7, 0), (8, 0)]
)
def test_only_what_lies_behind_can_be_gone_back_to(at: int, turns: int) -> None:
    assert count_turns_back(ROWS, at) == turns


def test_here_is_the_last_row_where_nobody_says() -> None:
    assert find_here(ROWS) == 7
    assert find_here(ROWS[:3]) == 2


@pytest.mark.parametrize(
    ("row", "picked", "drawn"),
    [
        (TreeRow(0, "c", 1, "", "It begins."), False, "● 1  It begins."),
        (TreeRow(0, "c", 4, "Go", "On.", ("main", "b"), ("pier",), here=True), False,
         "◉ 4 you are here [main] [b] (pier)  › Go  On."),
        (TreeRow(1, "c", 2, "Go", forks=True), True, "├─● 2 ✓ picked  › Go"),
        (TreeRow(2, "c", 2, "Go"), False, "│ │ ● 2  › Go"),
        (TreeRow(2, "c", 2, "Go", forks=True), False, "│ ├─● 2  › Go"),
        (TreeRow(0, "c", 2, "*Go*", "# The **pier**"), False, "● 2  › *Go*  The pier"),
        (TreeRow(1, skipped=1), False, "│ ┊ 1 turn"),
        (TreeRow(0, skipped=40), False, "┊ 40 turns"),
        (TreeRow(0, "c", 2, "a\nb\x1b[31m", "[b]x", ("[i]n",)), False, "● 2 [[i]n]  › a b[31m  [b]x"),
    ],
)  # fmt: skip
def test_row(row: TreeRow, picked: bool, drawn: str) -> None:
    assert draw_row(row, ENGLISH, picked).plain == drawn


def test_deep_forks_leave_room_for_the_words() -> None:
    assert draw_row(TreeRow(500, "c", 2), CHINESE, False).plain == "│ " * DEPTH_SHOWN_MAX + "● 2"
