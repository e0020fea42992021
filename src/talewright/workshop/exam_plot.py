"""The plot of an examination: an SVG picture with one bar for each model and game.

It is plain text without scripts, fonts or links. The same results give the same bytes.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from talewright.common.frozen_values import frozen
from talewright.workshop.exam_figures import ExamFigures
from talewright.workshop.exam_report import TURN_COLUMNS, ExamReport
from talewright.workshop.examination import ExamResult

WIDTH = 760
LABEL_WIDTH = 250
BAR_WIDTH = 440
BAR_HEIGHT = 20
ROW_HEIGHT = 34
TOP = 64
"""Sizes in pixels."""

LABEL_LENGTH_MAX = 36
"""Characters of the label of a bar."""


@frozen
class PlotPart:
    """One way in which turns were narrated."""

    name: str
    colour: str
    """The shades can be told apart even without colour."""

    ink: str
    """The colour of the number in the bar."""

    def count(self, figures: ExamFigures) -> int:
        """How many turns were narrated this way."""
        number: int = getattr(figures, self.name.replace(" ", "_"))
        return number


PARTS = (
    PlotPart("at once", "#2b7a78", "#ffffff"),
    PlotPart("repaired", "#8fc1a9", "#1c1c1c"),
    PlotPart("by scene", "#e0b354", "#1c1c1c"),
    PlotPart("untold", "#a03c36", "#ffffff"),
)


def draw_plot(report: ExamReport) -> str:
    """The picture: how the turns of each result were narrated."""
    height = TOP + ROW_HEIGHT * len(report.results) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" role="img">',
        "<title>How the turns were narrated</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="24" font-size="15">How the turns were narrated (seed {report.seed})</text>',
        *_draw_legend(),
    ]
    for row, result in enumerate(report.results):
        lines += _draw_bar(result, TOP + ROW_HEIGHT * row)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _draw_legend() -> Iterator[str]:
    for number, part in enumerate(PARTS):
        left = LABEL_WIDTH + 110 * number
        yield f'<rect x="{left}" y="36" width="12" height="12" fill="{part.colour}"/>'
        yield f'<text x="{left + 18}" y="47">{TURN_COLUMNS[part.name]}</text>'


def _draw_bar(result: ExamResult, top: int) -> Iterator[str]:
    figures = result.figures
    label = f"{result.model}, {result.game}"
    if len(label) > LABEL_LENGTH_MAX:
        label = label[: LABEL_LENGTH_MAX - 1] + "…"
    base = top + BAR_HEIGHT - 5
    yield f'<text x="{LABEL_WIDTH - 10}" y="{base}" text-anchor="end">{escape(label)}</text>'
    left = 0.0
    for part in PARTS:
        number = part.count(figures)
        wide = BAR_WIDTH * figures.share(number)
        if number:
            place = f'x="{LABEL_WIDTH + left:.1f}" y="{top}" width="{wide:.1f}" height="{BAR_HEIGHT}"'
            title = f"<title>{TURN_COLUMNS[part.name]}: {number}</title>"
            yield f'<rect {place} fill="{part.colour}">{title}</rect>'
            yield f'<text x="{LABEL_WIDTH + left + 4:.1f}" y="{base}" fill="{part.ink}">{number}</text>'
        left += wide
    yield f'<text x="{LABEL_WIDTH + BAR_WIDTH + 8}" y="{base}">{figures.turns}</text>'
