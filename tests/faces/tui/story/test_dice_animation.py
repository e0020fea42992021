"""Rolls as boxes, and how they tumble."""

from dataclasses import replace

import pytest
from rich.cells import cell_len

from talewright.faces.tui.story.dice_animation import FRAME_SECONDS, FRAMES, make_frames
from talewright.faces.tui.story.dice_drawing import draw_roll, draw_rolls, has_pips, write_face
from talewright.play.campaign_view import ChanceView, RollView
from tests.faces.tui.stage import plain_lines

ROLL = RollView("Climb, 8 or more needed: failure", 7, "2d6", (3, 4), "fail")


def test_box() -> None:
    assert plain_lines(draw_roll(ROLL, 80)) == [
        "╭─ 2d6 ──────────────────────────────╮",
        "│ ⚂ ⚃  =  7                          │",
        "│ ✗ Climb, 8 or more needed: failure │",
        "╰────────────────────────────────────╯",
    ]


def test_words_fold_under_themselves_in_a_narrow_box() -> None:
    assert plain_lines(draw_roll(ROLL, 24)) == [
        "╭─ 2d6 ──────────────╮",
        "│ ⚂ ⚃  =  7          │",
        "│ ✗ Climb, 8 or more │",
        "│   needed: failure  │",
        "╰────────────────────╯",
    ]


@pytest.mark.parametrize(
    ("outcome", "sign"), [("success", "✓"), ("fail", "✗"), ("blocked", "⊘"), ("", "•"), ("yes, but", "•")]
)
def test_outcome_has_a_sign(outcome: str, sign: str) -> None:
    assert any(
        f"│ {sign} Climb" in line for line in plain_lines(draw_roll(replace(ROLL, outcome=outcome), 80))
    )


def test_dice_of_other_shapes_are_numbers() -> None:
    roll = RollView("Hit", 17, "1d20", (17,))
    assert not has_pips(roll)
    assert "[17]" in plain_lines(draw_roll(roll, 80))[1]
    assert has_pips(ROLL)
    assert [write_face(6, pips=True), write_face(7, pips=True), write_face(2, pips=False)] == [
        "⚅",
        "[7]",
        "[2]",
    ]


def test_many_dice_are_counted() -> None:
    drawn = "\n".join(plain_lines(draw_roll(RollView("Hail", 60, "60d6", (1,) * 60), 60)))
    assert drawn.count("⚀") == 40
    assert "+20" in drawn


def test_roll_without_dice_is_only_words() -> None:
    lines = plain_lines(draw_roll(RollView("Oracle: yes, but", outcome="success"), 80))
    assert len(lines) == 3
    assert "✓ Oracle: yes, but" in lines[1]


@pytest.mark.parametrize("width", [1, 16, 30, 56, 200])
def test_every_row_of_a_box_is_equally_wide(width: int) -> None:
    roll = RollView("掷骰：爬墙，需要 8 或以上", 7, "2d6", (3, 4), "fail")
    widths = {cell_len(line) for line in plain_lines(draw_roll(roll, width))}
    assert len(widths) == 1
    assert widths.pop() <= max(16, min(width, 56))


def test_tumbling_ends_with_the_roll_and_is_short() -> None:
    steps = make_frames(ROLL, 7)
    assert len(steps) == FRAMES
    assert steps[-1] is ROLL
    assert FRAMES * FRAME_SECONDS <= 0.6
    assert all(step.total is None and step.outcome == "" and step.text == "" for step in steps[:-1])
    assert all(len(step.faces) == 2 and all(1 <= face <= 6 for face in step.faces) for step in steps)
    assert make_frames(ROLL, 7) == steps


def test_dice_come_to_rest_from_the_left() -> None:
    assert make_frames(ROLL, 1)[-2].faces[0] == ROLL.faces[0]


def test_nothing_tumbles_without_dice() -> None:
    roll = RollView("Oracle")
    assert make_frames(roll, 1) == (roll,)


def test_moving_dice_show_faces_that_they_have() -> None:
    fate = RollView("Fate", 1, "4dF", (-1, 0, 1, 1))
    high = RollView("Hit", 3, "1d20", (3,))
    shown = {face for seed in range(20) for step in make_frames(fate, seed) for face in step.faces}
    assert shown == {-1, 0, 1}
    assert max(face for seed in range(20) for step in make_frames(high, seed) for face in step.faces) > 6


CHECK = RollView(
    "Mira: 1d20 (14) + 5 = 19: success",
    19,
    "1d20 + 5",
    (14,),
    "success",
    chances=ChanceView(
        tuple(range(6, 26)), (0.05,) * 20, ("fail",) * 7 + ("success",) * 13, 0.65, "65% chance of success"
    ),
)


def test_chances_are_drawn_beside_a_check() -> None:
    assert plain_lines(draw_roll(CHECK, 80)) == [
        "╭─ 1d20 + 5 ──────────────────────────────╮",
        "│ [14]  =  19   ▃▃▃▃▃▃▃╎▃▃▃▃▃▃◆▃▃▃▃▃▃ 65% │",
        "│ ✓ Mira: 1d20 (14) + 5 = 19: success     │",
        "╰─────────────────────────────────────────╯",
    ]
    assert all(step.chances is None for step in make_frames(CHECK, 1)[:-1])


def test_chances_move_below_where_there_is_no_room_beside() -> None:
    lines = plain_lines(draw_rolls((CHECK, CHECK, CHECK), 44))
    assert lines[1:3] == [
        "│ ✓ Mira: 1d20 (14) + 5 = 19: success │",
        "│   ▃▃▃▃▃▃▃╎▃▃▃▃▃▃◆▃▃▃▃▃▃ 65%         │",
    ]
    assert not any("◆" in line for line in plain_lines(draw_roll(CHECK, 1)))


def test_fate_dice_have_signs() -> None:
    roll = RollView("Notice", 1, "4dF", (1, 0, -1, 1))
    assert "[+] [ ] [-] [+]  =  1" in plain_lines(draw_roll(roll, 80))[1]
    assert "[3] [1]" in plain_lines(draw_roll(RollView("Notice", 4, "4dF, 2d4", (3, 1)), 80))[1]


def test_several_rolls_share_a_box() -> None:
    hit = RollView("Mira, sword: 1d20 (14) + 5 = 19: success", 19, "1d20 + 5", (14,), "success")
    hurt = RollView("Damage: 1d8 (6) + 3 = 9", 9, "1d8 + 3", (6,))
    miss = RollView("Goblin 2, blade: 1d20 (2) + 4 = 6: failure", 6, "1d20 + 4", (2,), "fail")
    assert plain_lines(draw_rolls((hit, hurt, miss), 80)) == [
        "╭──────────────────────────────────────────────╮",
        "│ ✓ Mira, sword: 1d20 (14) + 5 = 19: success   │",
        "│ • Damage: 1d8 (6) + 3 = 9                    │",
        "│ ✗ Goblin 2, blade: 1d20 (2) + 4 = 6: failure │",
        "╰──────────────────────────────────────────────╯",
    ]


def test_hostile_words_stay_words() -> None:
    roll = RollView("[red]x[/red]\x1b]52;c;\x07", 1, "\x1b[2J1d6", (1,))
    drawn = "\n".join(plain_lines(draw_roll(roll, 60)))
    assert "\x1b" not in drawn
    assert "\x07" not in drawn
    assert "[red]x[/red]" in drawn
