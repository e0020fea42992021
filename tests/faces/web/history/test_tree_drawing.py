"""The drawing of the tree: lines that join, signs of turns, lanes with a limit, and trends."""

import pytest

from talewright.faces.web.history.book_pages import list_chapters
from talewright.faces.web.history.tree_drawing import LANES_MAX, draw_tree, lane_of
from talewright.play.campaign_past import TreePage, TreeRow

ROWS = (
    TreeRow(0, "c0"),
    TreeRow(0, skipped=3),
    TreeRow(0, "c4", 4),
    TreeRow(1, "d5", 5, branches=("aside",), forks=True, end="win"),
    TreeRow(0, "c5", 5, branches=("main",), here=True),
)


def test_lines_join_turn_to_turn() -> None:
    drawn = draw_tree(TreePage(ROWS, 0, 5, 5))
    assert (drawn.width, drawn.height, drawn.rem_height) == (44, 220, 13.75)
    assert drawn.gaps == ("M14 44V88",)
    assert drawn.lines == (
        "M14 22V44",
        "M14 88V110",
        "M14 110V132",
        "M14 132V176",
        "M14 132Q14 154 30 154",
        "M14 176V198",
    )
    assert [(one.x, one.y, one.kind) for one in drawn.turns] == [
        (14, 22, "turn"),
        (14, 110, "turn"),
        (30, 154, "win"),
        (14, 198, "here"),
    ]


def test_a_page_in_the_middle_has_open_ends() -> None:
    drawn = draw_tree(TreePage(ROWS[2:3], 2, 5, 5))
    assert drawn.lines == ("M14 0V22", "M14 22V44")
    assert draw_tree(TreePage((), 0, 0, 0)).turns == ()


def test_deep_forks_share_a_line() -> None:
    rows = tuple(TreeRow(depth, f"c{depth}", depth, forks=True) for depth in range(1, 40))
    drawn = draw_tree(TreePage(rows, 1, 99, 5))
    assert max(map(lane_of, rows)) == LANES_MAX
    assert drawn.width < 200


@pytest.mark.parametrize(
    ("number", "total", "listed"),
    [(1, 1, (1,)), (1, 0, ()), (2, 4, (1, 2, 3, 4)), (50, 200, (1, 47, 48, 49, 50, 51, 52, 53, 200))],
)
def test_a_long_book_lists_few_chapters(number: int, total: int, listed: tuple[int, ...]) -> None:
    assert list_chapters(number, total) == listed
