"""Tree list: the rows of the tree of turns, of which only those in sight are drawn, and its cursor.

The way one has come runs straight down at the left; forks stand before it goes on. It holds no session.
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
"""Lines that are drawn at the left of a row; deeper forks stand no further in."""


@frozen
class UntakenRow(TreeRow):
    """A choice that was not taken; `said` is what it says, and `version` the turn that offered it."""

    offered_by: str = ""
    """The commit of that turn."""


def add_untaken(rows: Sequence[TreeRow]) -> Iterator[TreeRow]:
    """The rows, and below each the ways that were not taken from there."""
    for row in rows:
        yield row
        for label in row.untaken:
            yield UntakenRow(
                row.depth + 1, version=row.version, said=label, forks=True, offered_by=row.commit
            )


def draw_row(row: TreeRow, words: HistoryWords, picked: bool) -> Content:
    """A row on one line."""
    depth = min(row.depth, DEPTH_SHOWN_MAX)
    before = ALONG * (depth - 1) + FORK if row.forks and depth else ALONG * depth
    if isinstance(row, UntakenRow):
        return Content.assemble((f"{before}{UNTAKEN} ", "$text-muted"), (safe_line(row.said), "italic"))
    if row.skipped:
        turns = words.skipped_one if row.skipped == 1 else words.skipped.format(count=row.skipped)
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


class TreeList(ScrollView, can_focus=True):
    """Rows of one line each."""

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
        """The cursor stands elsewhere, or the rows are others."""

    class Taken(Message):
        """A row was clicked twice."""

    def __init__(self, words: HistoryWords) -> None:
        super().__init__()
        self._words = words
        self.rows: tuple[TreeRow, ...] = ()
        self.picked = ""
        """The commit that is picked for comparing; empty where none is."""

    @property
    def row(self) -> TreeRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def show(self, rows: Sequence[TreeRow]) -> None:
        """Show these instead; the cursor stays on its turn, or comes to where the player stands."""
        before = self.row
        self.rows = tuple(rows)
        commits = {row.commit: at for at, row in enumerate(rows) if row.commit}
        self.virtual_size = Size(0, len(rows))
        self.cursor = find_here(rows) if before is None else commits.get(before.commit, find_here(rows))
        self.refresh()
        # The rows may have come before the first layout; only then is it known what is in sight.
        self.call_after_refresh(self._follow)
        self.post_message(self.Moved())

    def pick(self, commit: str) -> None:
        """Mark a turn as picked; with an empty one, none."""
        self.picked = commit
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        """It stays within the rows."""
        return max(0, min(cursor, len(self.rows) - 1))

    def watch_cursor(self) -> None:
        """Keep it in sight, and tell."""
        self._follow()
        self.refresh()
        self.post_message(self.Moved())

    def _follow(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """One row; those out of sight are never asked for."""
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
        """A click moves the cursor; a second one takes the row."""
        at = event.style.meta.get("row")
        if at is not None:
            self.cursor = at
            if event.chain > 1:
                self.post_message(self.Taken())

    def action_move(self, rows: int) -> None:
        """Up or down."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """A page up or down."""
        self.cursor += pages * max(1, self.scrollable_content_region.height - 1)

    def action_first(self) -> None:
        """To the beginning."""
        self.cursor = 0

    def action_last(self) -> None:
        """To the end."""
        self.cursor = len(self.rows) - 1
