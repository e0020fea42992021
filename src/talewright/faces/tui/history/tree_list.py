"""Tree list: the rows of the tree of turns and its cursor; only visible rows are drawn.

The current branch runs straight down the left edge; forks are indented above the turn that follows them. The
list holds no session.
"""

from collections.abc import Iterator, Sequence

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from talewright.common.frozen_values import frozen
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.story.markdown_blocks import read_one_line
from talewright.faces.tui.words.history_words import HistoryWords
from talewright.play.campaign_past import TreeRow

TURN, HERE, GAP, ALONG, FORK, UNTAKEN = "●", "◉", "┊", "│ ", "├─", "○"
PICKED = "✓"
MINUTE_LENGTH = len("2026-11-15 09:00")
DEPTH_SHOWN_MAX = 12
"""How many levels of forks are indented; deeper ones get no further indent."""


@frozen
class UntakenRow(TreeRow):
    """A choice the player did not take; `said` is its label, `version` the turn that offered it."""

    offered_by: str = ""
    """The commit of that turn."""


def add_untaken(rows: Sequence[TreeRow]) -> Iterator[TreeRow]:
    """Yield the rows, each followed by the choices that were not taken there."""
    for row in rows:
        yield row
        for label in row.untaken:
            yield UntakenRow(
                row.depth + 1, version=row.version, said=label, forks=True, offered_by=row.commit
            )


def draw_row(row: TreeRow, words: HistoryWords, picked: bool) -> Content:
    """Draw a row on one line."""
    depth = min(row.depth, DEPTH_SHOWN_MAX)
    before = ALONG * (depth - 1) + FORK if row.forks and depth else ALONG * depth
    if isinstance(row, UntakenRow):
        return Content.assemble((f"{before}{UNTAKEN} ", "$text-muted"), (safe_line(row.said), "italic"))
    if row.skipped:
        turns = words.skipped.format(row.skipped)
        return Content.assemble((f"{before}{GAP} {turns}", "$text-muted"))
    names = [(f" [{safe_line(name)}]", "bold $accent") for name in row.branches]
    names += [(f" ({safe_line(name)})", "$secondary") for name in row.marks]
    said = safe_line(row.said)
    told = read_one_line(safe_line(row.told))
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
    """Return the index of the player's current turn; the last row when it is unknown."""
    return next((at for at, row in enumerate(rows) if row.here), len(rows) - 1)


def count_turns_back(rows: Sequence[TreeRow], at: int) -> int:
    """Count the turns between a row and the current one; 0 where the row is not an earlier turn of this line.

    The current line has depth 0, so its earlier turns are the rows of depth 0 above the current one.
    """
    here = find_here(rows)
    if at >= here or rows[at].depth or not rows[at].commit:
        return 0
    return sum(row.skipped or 1 for row in rows[at + 1 : here + 1] if row.depth == 0)


def tell_minute(at: str) -> str:
    """Cut a recorded timestamp to the minute, without converting its time zone."""
    return safe_line(at)[:MINUTE_LENGTH].replace("T", " ")


class TreeList(ScrollView, can_focus=True):
    """A list of one-line rows."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {"tree-list--row", "tree-list--cursor"}  # noqa: RUF012 - as Textual declares it
    BINDINGS = [  # noqa: RUF012 - as Textual declares it
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("home,g", "first", show=False),
        Binding("end,G", "last", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]
    DEFAULT_CSS = """
    TreeList {
        height: 1fr;
        padding: 0 2;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        & > .tree-list--cursor { background: $foreground 6%; }
        &:focus > .tree-list--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """

    cursor: reactive[int] = reactive(0)

    class Moved(Message):
        """The cursor moved, or the rows changed."""

    class Taken(Message):
        """A row was double-clicked."""

    def __init__(self, words: HistoryWords) -> None:
        super().__init__()
        self._words = words
        self.rows: tuple[TreeRow, ...] = ()
        self.picked = ""
        """The commit picked for comparison; empty when there is none."""

    @property
    def row(self) -> TreeRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def show(self, rows: Sequence[TreeRow]) -> None:
        """Replace the rows; the cursor stays on its turn, or moves to the player's current one."""
        before = self.row
        self.rows = tuple(rows)
        commits = {row.commit: at for at, row in enumerate(rows) if row.commit}
        self.virtual_size = Size(0, len(rows))
        self.cursor = find_here(rows) if before is None else commits.get(before.commit, find_here(rows))
        self.refresh()
        # The rows may arrive before the first layout, which decides what is visible.
        self.call_after_refresh(self._follow)
        self.post_message(self.Moved())

    def pick(self, commit: str) -> None:
        """Mark a turn as picked; an empty commit clears the mark."""
        self.picked = commit
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor within the rows."""
        return max(0, min(cursor, len(self.rows) - 1))

    def watch_cursor(self) -> None:
        """Scroll the cursor into view and post Moved."""
        self._follow()
        self.refresh()
        self.post_message(self.Moved())

    def _follow(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """Draw one row; Textual never asks for rows that are out of view."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        style = self.get_visual_style("tree-list--row")
        if at >= len(self.rows):
            return Strip.blank(width, style.rich_style)
        if at == self.cursor:
            style = self.get_visual_style("tree-list--row", "tree-list--cursor")
        row = self.rows[at]
        content = draw_row(row, self._words, bool(row.commit) and row.commit == self.picked)
        strips = Visual.to_strips(self, content, width, 1, style)
        return strips[0].extend_cell_length(width, style.rich_style).apply_meta({"row": at})

    def on_click(self, event: events.Click) -> None:
        """Move the cursor on a click; take the row on a double click."""
        at = event.style.meta.get("row")
        if at is not None:
            self.cursor = at
            if event.chain > 1:
                self.post_message(self.Taken())

    def action_move(self, rows: int) -> None:
        """Move up or down."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """Move a page up or down."""
        self.cursor += pages * max(1, self.scrollable_content_region.height - 1)

    def action_first(self) -> None:
        """Go to the first row."""
        self.cursor = 0

    def action_last(self) -> None:
        """Go to the last row."""
        self.cursor = len(self.rows) - 1
