"""Tumbling: dice that roll take the room they will take."""

import pytest
from rich.cells import cell_len

from talewright.faces.tui.story.dice_animation import LAST_STEP, draw_animation_step, list_rolls
from talewright.faces.tui.story.story_entries import read_turn
from talewright.faces.tui.story.story_layout import lay_out
from talewright.play.campaign_view import RollView
from tests.faces.tui.story.making import ROLL, make_turn

ENTRIES = read_turn(
    make_turn(1, rolls=(ROLL, RollView("only words"), RollView("long " * 40, 7, "2d6", (3, 4), "fail")))
)
LINES = lay_out(ENTRIES, 50)


def test_rows_stay_where_they_are() -> None:
    for step in range(LAST_STEP):
        shown = draw_animation_step(LINES, ENTRIES, 50, step, seed=1)
        assert len(shown) == len(LINES)
        assert [line for line in shown if line.drawn is None and line.pieces] == [
            line for line in LINES if line.drawn is None and line.pieces
        ]


def test_dice_lie_still_in_the_end() -> None:
    assert draw_animation_step(LINES, ENTRIES, 50, LAST_STEP, seed=1) == LINES
    assert draw_animation_step(LINES, ENTRIES, 50, 0, seed=1) != LINES
    assert draw_animation_step(LINES, ENTRIES, 50, 2, seed=1) == draw_animation_step(
        LINES, ENTRIES, 50, 2, seed=1
    )


@pytest.mark.parametrize("count", [2, 3])
def test_dice_at_rest_do_not_move_again(count: int) -> None:
    rolls = tuple(RollView(f"{at}d20", at, "1d20", (at,)) for at in range(1, count + 1))
    entries = read_turn(make_turn(1, rolls=rolls))
    assert list_rolls(entries) == [*rolls]
    lines = lay_out(entries, 50)
    for step in range(LAST_STEP):
        shown = draw_animation_step(lines, entries, 50, step, 1, rested=1)
        texts = [line.text for line in shown if line.drawn is not None]
        assert sum("• 1d20" in text for text in texts) == 1
        assert not any("• 2d20" in text for text in texts)
        assert [cell_len(text) for text in texts] == [cell_len(line.text) for line in lines if line.drawn]
    assert draw_animation_step(lines, entries, 50, 0, 1, rested=count) == lines
