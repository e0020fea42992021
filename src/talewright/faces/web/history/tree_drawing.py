"""The tree as a drawing: positions of its lines and turns in an SVG, and the points of small trend lines.

Numbers only; the templates write the markup, and the style sheet has the colours.
"""

from talewright.common.frozen_values import frozen
from talewright.play.campaign_past import TreePage, TreeRow

ROW_HEIGHT = 44
"""Of one turn, in units of which a `rem` has `UNITS_PER_REM`; high enough for a finger."""

UNITS_PER_REM = 16
LANE_WIDTH = 16
LANES_MAX = 8
"""How many levels of forks are drawn apart; deeper ones share a line."""

MARGIN = 14


@frozen
class DrawnTurn:
    """A turn, as a sign on a line."""

    x: int
    y: int
    kind: str
    """`here`, `win`, `lose`, `end`, `head` or `turn`."""


@frozen
class DrawnTree:
    """The drawing of some rows."""

    width: int
    height: int
    lines: tuple[str, ...]
    """Paths of unbroken lines."""

    gaps: tuple[str, ...]
    """Paths of lines along which turns are left out."""

    turns: tuple[DrawnTurn, ...]

    @property
    def rem_width(self) -> float:
        """Its width, in the size of the text."""
        return self.width / UNITS_PER_REM

    @property
    def rem_height(self) -> float:
        """Its height, in the size of the text."""
        return self.height / UNITS_PER_REM


def lane_of(row: TreeRow) -> int:
    """The line on which a row is drawn, counted from the left."""
    return min(row.depth, LANES_MAX)


def draw_tree(page: TreePage) -> DrawnTree:
    """The drawing of a page of the tree."""
    lines: list[str] = []
    gaps: list[str] = []
    turns: list[DrawnTurn] = []
    for at, row in enumerate(page.rows):
        x, top = _middle(lane_of(row)), at * ROW_HEIGHT
        middle, bottom = top + ROW_HEIGHT // 2, top + ROW_HEIGHT
        lines += (f"M{_middle(lane)} {top}V{bottom}" for lane in range(lane_of(row)))
        goes_on = _goes_on(page, at)
        if not row.commit:
            gaps.append(f"M{x} {top}V{bottom if goes_on else middle}")
            continue
        if row.forks:
            before = _middle(lane_of(row) - 1)
            lines.append(f"M{before} {top}Q{before} {middle} {x} {middle}")
        elif page.first + at:
            lines.append(f"M{x} {top}V{middle}")
        if goes_on:
            lines.append(f"M{x} {middle}V{bottom}")
        turns.append(DrawnTurn(x, middle, _kind_of(row)))
    lanes = 1 + max(map(lane_of, page.rows), default=0)
    width = 2 * MARGIN + (lanes - 1) * LANE_WIDTH
    return DrawnTree(width, len(page.rows) * ROW_HEIGHT, tuple(lines), tuple(gaps), tuple(turns))


def _middle(lane: int) -> int:
    return MARGIN + lane * LANE_WIDTH


def _goes_on(page: TreePage, at: int) -> bool:
    """Whether a row's line continues below it."""
    row = page.rows[at]
    for after in page.rows[at + 1 :]:
        if after.depth <= row.depth:
            return after.depth == row.depth and not after.forks
    # The rest is on the next page: a branch usually ends where its name is.
    return page.first + len(page.rows) < page.total and not row.branches


def _kind_of(row: TreeRow) -> str:
    if row.here:
        return "here"
    if row.end:
        return row.end if row.end in ("win", "lose") else "end"
    return "head" if row.branches or row.marks else "turn"
