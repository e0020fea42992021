"""Chance chart: the chances of a check as a row of small bars, with the result marked.

Drawing only; the chances are worked out by play. The row reads without colours, too: a line separates
outcomes, and a sign takes the place of the bar of the result.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from talewright.common.frozen_values import frozen
from talewright.common.json_values import write_number
from talewright.play.campaign_view import ChanceView

BARS: Final = "▁▂▃▄▅▆▇█"
RESULT: Final = "◆"
BETWEEN: Final = "╎"
"""Between totals with different outcomes."""

COLUMNS_MAX: Final = 24
"""Bars of a chart; totals of wider checks share one."""

COLUMNS_MIN: Final = 6
FLAT_SHARE: Final = 1e-9
"""Chances closer than this are equal."""

STYLES: Final = {
    "success": "$success",
    "critical_success": "bold $success",
    "partial_success": "$warning",
    "fail": "$error",
    "critical_failure": "bold $error",
}


FLAT: Final = "▃"
"""Equal chances make a low row; a wall of full blocks would say nothing."""


@frozen
class _Bar:
    share: float
    count: int
    """How many totals share the bar."""

    outcome: str
    holds_result: bool

    @property
    def height(self) -> float:
        return self.share / self.count


def draw_chances(chances: ChanceView, total: float, width: int) -> Content | None:
    """Draw the chances in at most `width` columns, the chance of success behind them; None if too narrow."""
    label = "" if chances.success is None else f" {_percent(chances.success)}"
    changes = sum(one != other for one, other in pairwise(chances.outcomes))
    room = min(COLUMNS_MAX, width - cell_len(label) - changes)
    if room < max(COLUMNS_MIN, changes + 1):
        return None
    bars = _make_bars(chances, total, room)
    heights = [bar.height for bar in bars]
    flat = max(heights) - min(heights) < FLAT_SHARE
    drawn: list[Content | tuple[str, str]] = []
    before = bars[0].outcome
    for bar in bars:
        if bar.outcome != before:
            drawn.append((BETWEEN, "$text-muted"))
        before = bar.outcome
        style = STYLES.get(bar.outcome, "$primary")
        block = FLAT if flat else _choose_block(bar.height / max(heights))
        drawn.append((RESULT, "bold $accent") if bar.holds_result else (block, style))
    return Content.assemble(*drawn, (label, "$text-muted"))


def _make_bars(chances: ChanceView, total: float, room: int) -> Sequence[_Bar]:
    """One bar for each total, or for several neighbours with the same outcome."""
    totals = chances.totals
    size = 1
    while True:
        bars: list[_Bar] = []
        for at, share in enumerate(chances.shares):
            here, outcome = totals[at] == total, chances.outcomes[at]
            if bars and bars[-1].count < size and bars[-1].outcome == outcome:
                last = bars.pop()
                bars.append(_Bar(last.share + share, last.count + 1, outcome, last.holds_result or here))
            else:
                bars.append(_Bar(share, 1, outcome, here))
        if len(bars) <= room or size >= len(totals):
            return bars
        size += 1


def _choose_block(level: float) -> str:
    return BARS[round(level * (len(BARS) - 1))]


def _percent(share: float) -> str:
    rounded = round(100 * share)
    if rounded in (0, 100) and share not in (0, 1):
        return "<1%" if rounded == 0 else ">99%"
    return f"{write_number(rounded)}%"
