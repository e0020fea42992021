"""Tumbling: dice that roll take the room they will take."""

from talewright.faces.tui.story.dice_animation import LAST_STEP, draw_animation_step, has_dice
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


def test_only_dice_tumble() -> None:
    assert has_dice(ENTRIES)
    assert not has_dice(read_turn(make_turn(1, rolls=(RollView("only words"),))))
    assert not has_dice(())
