"""Drawing: charts with lines and with stacked bars, written as SVG by hand.

It knows nothing of dice; whoever draws hands in names and numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 250, 190
"""Of the field of one panel, in pixels."""

LEFT, RIGHT, ABOVE, BELOW = 48, 22, 34, 46
HEAD, LEGEND_LINE = 34, 20
PER_ROW = 3
LETTER = 7.2
"""Width of a letter of the legend, roughly."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d1f", "#56606b")
"""They can be told apart by people who see colours differently."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve."""

    name: str
    points: Sequence[Point]
    dots: Sequence[Point] = ()
    """What play gave, beside what was computed."""

    colour: str = ""
    """Where it is not that of its number."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One field with its curves; the n-th curve of every panel of a chart has the same colour."""

    title: str
    x_label: str
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]
    lines: Sequence[Line]
    is_percent: bool = False
    is_log: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Upright lines with a word each."""

    def x(self, value: float) -> float:
        """Where a value stands from the left."""
        low, high = self.x_ticks[0], self.x_ticks[-1]
        return WIDTH * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Where a value stands from above."""
        low, high = self.y_ticks[0], self.y_ticks[-1]
        if self.is_log:
            return HEIGHT * (1 - math.log(value / low) / math.log(high / low))
        return HEIGHT * (1 - (value - low) / (high - low))


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of parts that add up to one, from below."""

    name: str
    parts: Sequence[float]
    ticks: Sequence[float] = ()
    """Where the borders of the parts lie in play."""


def draw_chart(title: str, panels: Sequence[Panel], per_row: int = PER_ROW) -> str:
    """A picture of panels side by side, with one legend."""
    across = min(len(panels), per_row)
    rows = -(-len(panels) // per_row)
    width = across * (LEFT + WIDTH + RIGHT)
    names = [line.name for line in panels[0].lines]
    has_dots = any(line.dots for panel in panels for line in panel.lines)
    legend, used = _draw_legend(names, COLOURS, width, "dots: played" if has_dots else "")
    head = HEAD + used * LEGEND_LINE
    body: list[str] = []
    for number, panel in enumerate(panels):
        left = (number % per_row) * (LEFT + WIDTH + RIGHT) + LEFT
        top = head + (number // per_row) * (ABOVE + HEIGHT + BELOW) + ABOVE
        body += [f'<g transform="translate({left} {top})">', *_draw_panel(panel), "</g>"]
    return _frame(title, width, head + rows * (ABOVE + HEIGHT + BELOW), [*legend, *body])


def _frame(title: str, width: int, height: int, body: Sequence[str]) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="22" font-size="15" fill="#111">{escape(title)}</text>',
    ]
    return "\n".join([*parts, *body, "</svg>", ""])


def _draw_legend(
    names: Sequence[str], colours: Sequence[str], width: int, more: str
) -> tuple[list[str], int]:
    """The legend, and how many lines it takes."""
    parts: list[str] = []
    place, line = 12.0, 0
    for name, colour in [*zip(names, colours, strict=False), *([(more, "")] if more else [])]:
        long = 22 + LETTER * len(name) + 14
        if place + long > width and place > 12:
            place, line = 12.0, line + 1
        base = HEAD + line * LEGEND_LINE + 12
        if colour:
            parts.append(f'<rect x="{place:.1f}" y="{base - 8}" width="16" height="8" fill="{colour}"/>')
        parts.append(f'<text x="{place + (22 if colour else 0):.1f}" y="{base}">{escape(name)}</text>')
        place += long
    return parts, line + 1


def _draw_panel(panel: Panel) -> list[str]:
    parts = [f'<text x="0" y="-12" fill="#111">{escape(panel.title)}</text>']
    for value in panel.y_ticks:
        place = panel.y(value)
        shown = f"{value:.0%}" if panel.is_percent else f"{value:,g}"
        parts.append(f'<path d="M0 {place:.1f}h{WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="-6" y="{place + 4:.1f}" text-anchor="end" fill="#666">{shown}</text>')
    for value in panel.x_ticks:
        spot = f'x="{panel.x(value):.1f}" y="{HEIGHT + 16}" text-anchor="middle"'
        parts.append(f'<text {spot} fill="#666">{value:g}</text>')
    middle = f'x="{WIDTH / 2:g}" y="{HEIGHT + 34}" text-anchor="middle"'
    parts.append(f"<text {middle}>{escape(panel.x_label)}</text>")
    for value, word in panel.marks:
        place = panel.x(value)
        parts.append(f'<path d="M{place:.1f} 0v{HEIGHT}" stroke="#999" stroke-dasharray="3 3"/>')
        parts.append(f'<text x="{place + 3:.1f}" y="10" font-size="10" fill="#666">{escape(word)}</text>')
    for line, usual in zip(panel.lines, COLOURS, strict=False):
        colour = line.colour or usual
        points = " ".join(f"{panel.x(x):.1f},{panel.y(y):.1f}" for x, y in line.points)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in line.dots:
            spot = f'cx="{panel.x(x):.1f}" cy="{panel.y(y):.1f}"'
            parts.append(f'<circle {spot} r="3.5" fill="#fff" stroke="{colour}" stroke-width="1.5"/>')
    return parts


BAR_WIDTH, BAR_STEP, BAR_HEIGHT = 58, 84, 260
PART_COLOURS = ("#b3372f", "#e08a3c", "#c4c8cc", "#e9c95c", "#5fae7c")
WRITTEN_MIN = 0.045
"""The smallest part that has its number written into it."""


def draw_bars(title: str, label: str, names: Sequence[str], bars: Sequence[Bar]) -> str:
    """A picture of stacked bars; names and parts from below."""
    width = LEFT + len(bars) * BAR_STEP + RIGHT
    reverse = list(zip(names, PART_COLOURS, strict=True))[::-1]
    legend, used = _draw_legend(
        [name for name, _ in reverse], [colour for _, colour in reverse], width, "black: played"
    )
    top = HEAD + used * LEGEND_LINE + 14
    body: list[str] = [*legend]
    for share in (0, 0.25, 0.5, 0.75, 1):
        place = top + BAR_HEIGHT * (1 - share)
        body.append(f'<path d="M{LEFT} {place:g}H{width - RIGHT}" stroke="#ddd"/>')
        body.append(
            f'<text x="{LEFT - 6}" y="{place + 4:g}" text-anchor="end" fill="#666">{share:.0%}</text>'
        )
    for number, bar in enumerate(bars):
        body += _draw_bar(bar, LEFT + number * BAR_STEP + (BAR_STEP - BAR_WIDTH) // 2, top)
    middle = f'x="{width / 2:g}" y="{top + BAR_HEIGHT + 36}" text-anchor="middle"'
    body.append(f"<text {middle}>{escape(label)}</text>")
    return _frame(title, width, top + BAR_HEIGHT + 48, body)


def _draw_bar(bar: Bar, left: int, top: int) -> list[str]:
    parts: list[str] = []
    below = 0.0
    for share, colour in zip(bar.parts, PART_COLOURS, strict=True):
        place = top + BAR_HEIGHT * (1 - below - share)
        size = f'x="{left}" y="{place:.1f}" width="{BAR_WIDTH}" height="{BAR_HEIGHT * share:.1f}"'
        if share:
            parts.append(f'<rect {size} fill="{colour}"/>')
        if share >= WRITTEN_MIN:
            middle = top + BAR_HEIGHT * (1 - below - share / 2) + 4
            spot = f'x="{left + BAR_WIDTH / 2:g}" y="{middle:.1f}" text-anchor="middle"'
            parts.append(f'<text {spot} font-size="11" fill="#111">{100 * share:.1f}</text>')
        below += share
    for share in bar.ticks:
        place = top + BAR_HEIGHT * (1 - share)
        parts.append(
            f'<path d="M{left - 6} {place:.1f}h6m{BAR_WIDTH} 0h6" stroke="#000" stroke-width="1.5"/>'
        )
    spot = f'x="{left + BAR_WIDTH / 2:g}" y="{top + BAR_HEIGHT + 17}" text-anchor="middle"'
    return [*parts, f'<text {spot} fill="#666">{escape(bar.name)}</text>']
