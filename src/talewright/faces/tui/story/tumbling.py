"""Tumbling: the lines of a turn while its dice still roll.

Pure: which step is shown, and for how long, is the widget's business.
"""

from collections.abc import Sequence
from typing import Final

from talewright.faces.tui.story.entries import Dice, Entry
from talewright.faces.tui.story.layout import MEASURE_MAX
from talewright.faces.tui.story.lines import BLANK, Line
from talewright.faces.tui.table.dice import FRAMES, draw, frames

LAST_STEP: Final = FRAMES - 1
"""The step at which all dice lie still."""


def has_dice(entries: Sequence[Entry]) -> bool:
    """Whether there is anything to tumble."""
    return any(isinstance(entry, Dice) and entry.roll.faces for entry in entries)


def tumble(lines: Sequence[Line], entries: Sequence[Entry], width: int, step: int, seed: int) -> list[Line]:
    """The lines of a turn with its dice at one step; as many as when they lie still."""
    if step >= LAST_STEP:
        return list(lines)
    rolls = iter([entry.roll for entry in entries if isinstance(entry, Dice)])
    shown = list(lines)
    row = 0
    while row < len(shown):
        if lines[row].drawn is None:
            row += 1
            continue
        end = row
        while end < len(shown) and lines[end].drawn is not None:
            end += 1
        steps = frames(next(rolls), seed)
        drawn = draw(steps[min(step, len(steps) - 1)], min(width, MEASURE_MAX))
        # A box is as high as it will be in the end: what it lacks on the way stays blank.
        body = [Line(drawn=part) for part in drawn[: end - row]]
        gap = [BLANK] * (end - row - len(body))
        shown[row:end] = [*body, *gap]
        row = end
    return shown
