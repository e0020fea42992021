"""Dice drawing: one roll as a small box, several as one box with a row each.

Pure functions: rolls in, lines out. Nothing moves here; `dice_animation` makes the frames.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from talewright.common.frozen_values import frozen
from talewright.common.json_values import write_number
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.widgets.chance_chart import draw_chances
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.play.campaign_view import RollView

WIDTH_MAX: Final = 56
"""Width of the box of one roll, in columns."""

LIST_WIDTH_MAX: Final = 76
"""Width of a box with several rolls, in columns."""

WIDTH_MIN: Final = 16
CHART_GAP: Final = "   "
CHART_WIDTH: Final = 20
"""In fewer columns than this, chances move to a line of their own."""

FACES_MAX: Final = 40
"""How many dice are drawn; the rest are only counted."""

PIPS: Final = "⚀⚁⚂⚃⚄⚅"
FATE_FACES: Final = {-1: "[-]", 0: "[ ]", 1: "[+]"}
_SIGNS: Final = {
    "success": ("✓", "bold $success"),
    "fail": ("✗", "bold $error"),
    "partial_success": ("≈", "bold $warning"),
    "critical_success": ("★", "bold $success"),
    "critical_failure": ("☠", "bold $error"),
    "blocked": ("⊘", "bold $warning"),
}

_BAD: Final = ("▼", "bold $error")
"""A success that is bad for the player."""


@frozen
class BoxSize:
    """How large a box is at least, its frame included."""

    columns: int = 0
    rows: int = 0


NO_SIZE: Final = BoxSize()


def draw_rolls(rolls: Sequence[RollView], width: int, least: BoxSize = NO_SIZE) -> tuple[Content, ...]:
    """Draw rolls that belong together as lines of at most `width` columns."""
    if len(rolls) == 1:
        return draw_roll(rolls[0], width, least)
    inner = max(WIDTH_MIN, min(width, LIST_WIDTH_MAX)) - 4
    lines = [line for roll in rolls for line in _draw_row(roll, inner)]
    return _frame(lines, "", "$border", inner, least)


def draw_roll(roll: RollView, width: int, least: BoxSize = NO_SIZE) -> tuple[Content, ...]:
    """Draw one roll as lines of at most `width` columns."""
    inner = max(WIDTH_MIN, min(width, WIDTH_MAX)) - 4
    lines = [*_draw_faces(roll, inner), *_draw_words(roll, inner)]
    return _frame(lines, safe_line(roll.pool) if roll.faces else "", _edge(roll), inner, least)


def _frame(
    lines: Sequence[Content], title: str, edge: str, inner: int, least: BoxSize
) -> tuple[Content, ...]:
    """Draw a box around lines, as narrow as they allow."""
    lines = [*lines, *[Content("")] * (least.rows - 2 - len(lines))]
    widths = [line.cell_length for line in lines]
    inner = min(inner, max([*widths, cell_len(title) + 2, 8, least.columns - 4]))
    top = Content(f" {title} ").truncate(inner, ellipsis=True) if title else Content("")
    head = Content.assemble(
        ("╭─", edge), top.stylize("bold $accent"), ("─" * (inner + 1 - top.cell_length) + "╮", edge)
    )
    body = (
        Content.assemble(("│ ", edge), line.pad_right(inner - line.cell_length), (" │", edge))
        for line in lines
    )
    return (head, *body, Content.styled(f"╰{'─' * (inner + 2)}╯", edge))


def write_face(face: int, *, pips: bool) -> str:
    """Draw one die."""
    return PIPS[face - 1] if pips and 1 <= face <= len(PIPS) else f"[{face}]"


def has_pips(roll: RollView) -> bool:
    """Whether all dice are ordinary six-sided ones."""
    small = all(1 <= face <= len(PIPS) for face in roll.faces)
    return small and "d6" in roll.pool.lower()


def has_fate(roll: RollView) -> bool:
    """Whether all dice are Fate dice."""
    return "df" in roll.pool.lower() and all(face in FATE_FACES for face in roll.faces)


def _edge(roll: RollView) -> str:
    return _sign_of(roll)[1].replace("bold ", "") if roll.outcome in _SIGNS else "$border"


def _sign_of(roll: RollView) -> tuple[str, str]:
    """The sign of what an outcome means for the player: the success of an enemy is bad."""
    if roll.favor == "bad" and "success" in roll.outcome:
        return _BAD
    if roll.favor == "good" and "fail" in roll.outcome:
        return _SIGNS["success"]
    return _SIGNS.get(roll.outcome, ("•", "$text-muted"))


def _write_faces(roll: RollView) -> str:
    pips = has_pips(roll)
    faces = roll.faces[:FACES_MAX]
    words = [FATE_FACES[face] for face in faces] if has_fate(roll) else []
    words = words or [write_face(face, pips=pips) for face in faces]
    if len(roll.faces) > FACES_MAX:
        words.append(f"+{len(roll.faces) - FACES_MAX}")
    return " ".join(words)


def _draw_faces(roll: RollView, width: int) -> list[Content]:
    if not roll.faces:
        return []
    faces = Content.styled(_write_faces(roll), "bold")
    if roll.total is not None:
        faces = Content.assemble(faces, ("  =  ", "$text-muted"), (write_number(roll.total), "bold $accent"))
    return _put_beside(wrap_content(faces, width), roll, width)


def _put_beside(lines: list[Content], roll: RollView, width: int) -> list[Content]:
    """Put the chances of a roll beside its last line, or below it if there is no room."""
    if roll.chances is None or roll.total is None:
        return lines
    gap = len(CHART_GAP)
    beside = draw_chances(roll.chances, roll.total, width - lines[-1].cell_length - gap)
    if beside is not None and beside.cell_length >= min(CHART_WIDTH, len(roll.chances.totals)):
        return [*lines[:-1], Content.assemble(lines[-1], CHART_GAP, beside)]
    below = draw_chances(roll.chances, roll.total, width - 2)
    return lines if below is None else [*lines, Content.assemble("  ", below)]


def _draw_row(roll: RollView, width: int) -> list[Content]:
    """Draw a roll among others: its words have the dice in them, unless they are still moving."""
    words = _draw_words(roll if roll.text else replace(roll, text=_write_faces(roll)), width)
    return _put_beside(words, roll, width)


def _draw_words(roll: RollView, width: int) -> list[Content]:
    sign, style = _sign_of(roll)
    text = safe_line(roll.text)
    if not text:
        # The box keeps its height during the animation, so that nothing below it jumps.
        return [Content("")]
    folded = wrap_content(Content(text), width - 2)
    lead = Content.styled(f"{sign} ", style)
    return [Content.assemble(lead if at == 0 else "  ", line) for at, line in enumerate(folded)]
