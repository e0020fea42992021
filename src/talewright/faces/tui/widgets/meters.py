"""Meters: bars, arrows and signs by which a value and its change are drawn.

Pure drawing; what a value means is told in words beside it. Only changes in the engine's words get an arrow;
what people and models wrote stays as it is.
"""

from typing import Final

from textual.content import Content

from talewright.faces.tui.safe_content import safe_line

WRITTEN_ARROW: Final = " -> "
"""As the engine writes it, for every face."""

DRAWN_ARROW: Final = " → "


def draw_arrows(text: str) -> str:
    """A change in words with the arrow of this face."""
    return text.replace(WRITTEN_ARROW, DRAWN_ARROW)


UP: Final = "▲"
DOWN: Final = "▼"
CHANGED: Final = "◆"
CRITICAL: Final = "!"
FULL: Final = "━"
HALF: Final = "╸"
EMPTY: Final = "─"
"""A bar tells how full it is without colours too."""


def draw_bar(value: float, minimum: float, maximum: float, width: int, *, critical: bool = False) -> Content:
    """A bar of so many columns, filled to the half of one."""
    span = maximum - minimum
    share = 0.0 if span <= 0 else min(1.0, max(0.0, (value - minimum) / span))
    halves = round(share * width * 2)
    # What is more than nothing shows, and what is less than full leaves a gap.
    if 0 < share < 1:
        halves = min(max(halves, 1), width * 2 - 1)
    filled = FULL * (halves // 2) + HALF * (halves % 2)
    style = "$error" if critical else "$primary"
    return Content.assemble((filled, style), (EMPTY * (width - len(filled)), "$border"))


def draw_delta(delta: str) -> Content:
    """How something has just changed, with a sign; empty where it has not."""
    text = safe_line(delta)
    if not text:
        return Content("")
    if WRITTEN_ARROW in text:
        return Content.styled(f"{CHANGED} {draw_arrows(text)}", "$accent")
    sign = UP if text.startswith("+") else DOWN if text.startswith("-") else CHANGED
    # The sign says already which way a number went.
    bare = text[1:] if text[1:].replace(".", "", 1).isdecimal() else text
    return Content.styled(f"{sign}{bare}" if bare is not text else f"{sign} {text}", "bold $accent")
