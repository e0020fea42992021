"""Rows of the tree, drawn, and what can be read from where they stand.

Pure: rows in, text out. The way one has come runs straight down at the left; forks stand before it goes on.
"""

from collections.abc import Sequence

from textual.content import Content

from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.story.gist import read_gist
from talewright.faces.tui.words.past import PastWords
from talewright.play.campaign_past import TreeRow

TURN, HERE, GAP, ALONG, FORK = "●", "◉", "┊", "│ ", "├─"
PICKED = "✓"
MINUTE_LENGTH = len("2026-11-15 09:00")
DEPTH_SHOWN_MAX = 12
"""Lines that are drawn at the left of a row; deeper forks stand no further in."""


def draw_row(row: TreeRow, words: PastWords, picked: bool) -> Content:
    """A row on one line."""
    depth = min(row.depth, DEPTH_SHOWN_MAX)
    before = ALONG * (depth - 1) + FORK if row.forks and depth else ALONG * depth
    if row.skipped:
        turns = words.skipped_one if row.skipped == 1 else words.skipped.format(count=row.skipped)
        return Content.assemble((f"{before}{GAP} {turns}", "$text-muted"))
    names = [(f" [{safe_line(name)}]", "bold $accent") for name in row.branches]
    names += [(f" ({safe_line(name)})", "$secondary") for name in row.marks]
    said = safe_line(row.said)
    told = read_gist(safe_line(row.told))
    return Content.assemble(
        (before, "$text-muted"),
        (HERE if row.here else TURN, "bold $primary" if row.here else "$text-muted"),
        f" {row.version}",
        (f" {PICKED} {words.picked}" if picked else "", "bold $success"),
        (f" {words.here}" if row.here else "", "bold $primary"),
        *names,
        f"  › {said}" if said else "",
        (f"  {told}" if told else "", "$text-muted"),
    )


def find_here(rows: Sequence[TreeRow]) -> int:
    """Where the player stands; the last row where that is not told."""
    return next((at for at, row in enumerate(rows) if row.here), len(rows) - 1)


def count_turns_back(rows: Sequence[TreeRow], at: int) -> int:
    """How many turns lie between a row and here; 0 where it does not lie behind, or is here.

    The line that is played on has depth 0, so what lies behind is what stands above on that line.
    """
    here = find_here(rows)
    if at >= here or rows[at].depth or not rows[at].commit:
        return 0
    return sum(row.skipped or 1 for row in rows[at + 1 : here + 1] if row.depth == 0)


def tell_minute(at: str) -> str:
    """A time of the record to the minute, as it stands there."""
    return safe_line(at)[:MINUTE_LENGTH].replace("T", " ")
