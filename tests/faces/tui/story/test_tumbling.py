"""Tumbling: dice that roll take the room they will take."""

from talewright.faces.tui.story.entries import read_turn
from talewright.faces.tui.story.layout import lay_out
from talewright.faces.tui.story.tumbling import LAST_STEP, has_dice, tumble
from talewright.play.campaign_view import RollView
from tests.faces.tui.story.making import ROLL, make_turn

ENTRIES = read_turn(
    make_turn(1, rolls=(ROLL, RollView("only words"), RollView("long " * 40, 7, "2d6", (3, 4), "fail")))
)
LINES = lay_out(ENTRIES, 50)


def test_rows_stay_where_they_are() -> None:
    for step in range(LAST_STEP):
        shown = tumble(LINES, ENTRIES, 50, step, seed=1)
        assert len(shown) == len(LINES)
        assert [line for line in shown if line.drawn is None and line.pieces] == [
            line for line in LINES if line.drawn is None and line.pieces
        ]


def test_dice_lie_still_in_the_end() -> None:
    assert tumble(LINES, ENTRIES, 50, LAST_STEP, seed=1) == LINES
    assert tumble(LINES, ENTRIES, 50, 0, seed=1) != LINES
    assert tumble(LINES, ENTRIES, 50, 2, seed=1) == tumble(LINES, ENTRIES, 50, 2, seed=1)


def test_only_dice_tumble() -> None:
    assert has_dice(ENTRIES)
    assert not has_dice(read_turn(make_turn(1, rolls=(RollView("only words"),))))
    assert not has_dice(())
