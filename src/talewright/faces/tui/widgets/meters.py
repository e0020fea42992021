"""Meters: bars, arrows and signs that show a value and its change.

Drawing only; the text next to a meter says what the value means. Only changes in the engine's own words get
an arrow; texts by people and models stay unchanged.
"""

from typing import Final

from textual.content import Content

from talewright.faces.tui.safe_content import safe_line

WRITTEN_ARROW: Final = " -> "
"""The arrow the engine writes, the same for every interface."""

DRAWN_ARROW: Final = " → "


def draw_arrows(text: str) -> str:
    """Replace the engine's arrow in a change with that of the terminal interface."""
    return text.replace(WRITTEN_ARROW, DRAWN_ARROW)


UP: Final = "▲"
DOWN: Final = "▼"
CHANGED: Final = "◆"
CRITICAL: Final = "!"
FULL: Final = "━"
HALF: Final = "╸"
EMPTY: Final = "─"
"""A bar shows how full it is without colours too."""


def draw_bar(value: float, minimum: float, maximum: float, width: int, *, critical: bool = False) -> Content:
    """Draw a bar of `width` columns, filled to half a column."""
    span = maximum - minimum
    share = 0.0 if span <= 0 else min(1.0, max(0.0, (value - minimum) / span))
    halves = round(share * width * 2)
    # A value above zero always shows, and one below the maximum always leaves a gap.
    if 0 < share < 1:
        halves = min(max(halves, 1), width * 2 - 1)
    filled = FULL * (halves // 2) + HALF * (halves % 2)
    style = "$error" if critical else "$primary"
    return Content.assemble((filled, style), (EMPTY * (width - len(filled)), "$border"))


def draw_delta(delta: str) -> Content:
    """Describe the last change with a sign; empty when there is none."""
    text = safe_line(delta)
    if not text:
        return Content("")
    if WRITTEN_ARROW in text:
        return Content.styled(f"{CHANGED} {draw_arrows(text)}", "$accent")
    sign = UP if text.startswith("+") else DOWN if text.startswith("-") else CHANGED
    # The sign already says which way a number went.
    bare = text[1:] if text[1:].replace(".", "", 1).isdecimal() else text
    return Content.styled(f"{sign}{bare}" if bare is not text else f"{sign} {text}", "bold $accent")
