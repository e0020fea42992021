"""Dice animation: the frames in which the dice of a roll come to rest.

Pure functions: rolls in, lines out. No dice are rolled here; the faces shown before the last frame mean
nothing. The widget decides how long a frame is shown.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from rich.cells import cell_len

from talewright.faces.tui.story.dice_drawing import BoxSize, draw_rolls
from talewright.faces.tui.story.story_entries import RollEntry, StoryEntry
from talewright.faces.tui.story.styled_lines import MEASURE_MAX, StoryLine
from talewright.play.campaign_view import RollView

FRAMES: Final = 8
"""Frames of the animation; the last one shows the result."""

FRAME_SECONDS: Final = 0.06
"""How long a frame is shown; the whole animation takes less than 600 ms."""

LAST_STEP: Final = FRAMES - 1
"""The frame in which all dice are at rest."""

_SIDES: Final = re.compile(r"d(\d+)")


def make_frames(roll: RollView, seed: int) -> Sequence[RollView]:
    """Draw the frames of a roll, the last one showing the result; a single frame when there are no dice."""
    if not roll.faces:
        return (roll,)
    chance = Random(seed)
    lowest, highest = _range_of(roll)
    steps: list[RollView] = []
    for step in range(FRAMES - 1):
        # The dice come to rest one by one, from left to right.
        rested = len(roll.faces) * step // FRAMES
        faces = (*roll.faces[:rested], *(chance.randint(lowest, highest) for _ in roll.faces[rested:]))
        steps.append(replace(roll, faces=faces, total=None, outcome="", text="", chances=None))
    return (*steps, roll)


def _range_of(roll: RollView) -> tuple[int, int]:
    """The lowest and the highest face that a moving die shows."""
    lowest, highest = min(roll.faces), max(roll.faces)
    if lowest < 1:
        return min(lowest, -1), max(highest, 1)
    found = _SIDES.search(roll.pool.lower())
    return 1, max(highest, min(int(found[1]), 100) if found else 6)


def list_rolls(entries: Sequence[StoryEntry]) -> list[RollView]:
    """All rolls of a turn, in order."""
    return [roll for entry in entries if isinstance(entry, RollEntry) for roll in entry.rolls]


def draw_animation_step(
    lines: Sequence[StoryLine],
    entries: Sequence[StoryEntry],
    width: int,
    step: int,
    seed: int,
    rested: int = 0,
) -> list[StoryLine]:
    """Lay out a turn with its dice at one frame; the number of lines is the same in all frames.

    The first `rested` rolls have come to rest before.
    """
    if step >= LAST_STEP:
        return list(lines)
    boxes = iter([entry for entry in entries if isinstance(entry, RollEntry)])
    shown = list(lines)
    row = 0
    while row < len(shown):
        if lines[row].drawn is None:
            row += 1
            continue
        end = row
        while end < len(shown) and lines[end].drawn is not None:
            end += 1
        rolls = next(boxes).rolls
        # The box has its final size from the start, so that nothing below it jumps.
        size = BoxSize(cell_len(lines[row].text), end - row)
        drawn = draw_rolls(_move(rolls, step, seed, rested), min(width, MEASURE_MAX), size)
        rested = max(0, rested - len(rolls))
        shown[row:end] = [StoryLine(drawn=part) for part in drawn[: end - row]]
        row = end
    return shown


def _move(rolls: Sequence[RollView], step: int, seed: int, rested: int) -> list[RollView]:
    """The rolls of one box at one frame."""
    frames = [make_frames(roll, seed + at) for at, roll in enumerate(rolls)]
    return [steps[-1 if at < rested else min(step, len(steps) - 1)] for at, steps in enumerate(frames)]
