"""Dice animation: a roll drawn as a small box, and the frames in which its dice come to rest.

Pure functions: a roll in, lines out. No dice are rolled here; the faces shown before the last frame mean
nothing. The widget decides how long a frame is shown.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from talewright.common.json_values import write_number
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.story.story_entries import RollEntry, StoryEntry
from talewright.faces.tui.story.styled_lines import BLANK, MEASURE_MAX, StoryLine
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.play.campaign_view import RollView

WIDTH_MAX: Final = 56
"""Width of a box, in columns."""

WIDTH_MIN: Final = 16
FACES_MAX: Final = 40
"""How many dice are drawn; the rest are only counted."""

FRAMES: Final = 8
"""Frames of the animation; the last one shows the result."""

FRAME_SECONDS: Final = 0.06
"""How long a frame is shown; the whole animation takes less than 600 ms."""

PIPS: Final = "⚀⚁⚂⚃⚄⚅"
_SIGNS: Final = {
    "success": ("✓", "bold $success"),
    "fail": ("✗", "bold $error"),
    "blocked": ("⊘", "bold $warning"),
}


def draw_roll(roll: RollView, width: int) -> tuple[Content, ...]:
    """Draw a roll as lines of at most `width` columns."""
    inner = max(WIDTH_MIN, min(width, WIDTH_MAX)) - 4
    lines = [*_draw_faces(roll, inner), *_draw_words(roll, inner)]
    title = safe_line(roll.pool) if roll.faces else ""
    inner = min(inner, max([*(line.cell_length for line in lines), cell_len(title) + 2, 8]))
    edge = _edge(roll)
    top = Content(f" {title} ").truncate(inner, ellipsis=True) if title else Content("")
    head = Content.assemble(
        ("╭─", edge), top.stylize("bold $accent"), ("─" * (inner + 1 - top.cell_length) + "╮", edge)
    )
    body = (
        Content.assemble(("│ ", edge), line.pad_right(inner - line.cell_length), (" │", edge))
        for line in lines
    )
    return (head, *body, Content.styled(f"╰{'─' * (inner + 2)}╯", edge))


def make_frames(roll: RollView, seed: int) -> Sequence[RollView]:
    """Draw the frames of a roll, the last one showing the result; a single frame when there are no dice."""
    if not roll.faces:
        return (roll,)
    chance = Random(seed)
    sides = max(6, *roll.faces)
    steps: list[RollView] = []
    for step in range(FRAMES - 1):
        # The dice come to rest one by one, from left to right.
        rested = len(roll.faces) * step // FRAMES
        faces = (*roll.faces[:rested], *(chance.randint(1, sides) for _ in roll.faces[rested:]))
        steps.append(replace(roll, faces=faces, total=None, outcome="", text=""))
    return (*steps, roll)


def write_face(face: int, *, pips: bool) -> str:
    """Draw one die."""
    return PIPS[face - 1] if pips and 1 <= face <= len(PIPS) else f"[{face}]"


def has_pips(roll: RollView) -> bool:
    """Whether all dice are ordinary six-sided ones."""
    small = all(1 <= face <= len(PIPS) for face in roll.faces)
    return small and "d6" in roll.pool.lower()


def _edge(roll: RollView) -> str:
    return _SIGNS[roll.outcome][1].replace("bold ", "") if roll.outcome in _SIGNS else "$border"


def _draw_faces(roll: RollView, width: int) -> list[Content]:
    if not roll.faces:
        return []
    pips = has_pips(roll)
    words = [write_face(face, pips=pips) for face in roll.faces[:FACES_MAX]]
    if len(roll.faces) > FACES_MAX:
        words.append(f"+{len(roll.faces) - FACES_MAX}")
    faces = Content.styled(" ".join(words), "bold")
    if roll.total is not None:
        faces = Content.assemble(faces, ("  =  ", "$text-muted"), (write_number(roll.total), "bold $accent"))
    return wrap_content(faces, width)


def _draw_words(roll: RollView, width: int) -> list[Content]:
    text = safe_line(roll.text)
    if not text:
        # The box keeps its height during the animation, so that nothing below it jumps.
        return [Content("")]
    sign, style = _SIGNS.get(roll.outcome, ("•", "$text-muted"))
    folded = wrap_content(Content(text), width - 2)
    lead = Content.styled(f"{sign} ", style)
    return [Content.assemble(lead if at == 0 else "  ", line) for at, line in enumerate(folded)]


LAST_STEP: Final = FRAMES - 1
"""The frame in which all dice are at rest."""


def has_dice(entries: Sequence[StoryEntry]) -> bool:
    """Whether there is anything to animate."""
    return any(isinstance(entry, RollEntry) and entry.roll.faces for entry in entries)


def draw_animation_step(
    lines: Sequence[StoryLine], entries: Sequence[StoryEntry], width: int, step: int, seed: int
) -> list[StoryLine]:
    """Lay out a turn with its dice at one frame; the number of lines is the same in all frames."""
    if step >= LAST_STEP:
        return list(lines)
    rolls = iter([entry.roll for entry in entries if isinstance(entry, RollEntry)])
    shown = list(lines)
    row = 0
    while row < len(shown):
        if lines[row].drawn is None:
            row += 1
            continue
        end = row
        while end < len(shown) and lines[end].drawn is not None:
            end += 1
        steps = make_frames(next(rolls), seed)
        drawn = draw_roll(steps[min(step, len(steps) - 1)], min(width, MEASURE_MAX))
        # The box has its final height from the start; missing lines stay blank.
        body = [StoryLine(drawn=part) for part in drawn[: end - row]]
        gap = [BLANK] * (end - row - len(body))
        shown[row:end] = [*body, *gap]
        row = end
    return shown
