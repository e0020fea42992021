"""Story scroll view: the rows of the story column, a stable scroll position, selection and copying.

Lines are laid out when they come into view; `story_column` holds the rest. It knows nothing about turns, and
leaves the clipboard to Textual.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from talewright.faces.tui.story.story_column import (
    StoryColumn,
    StoryItem,
    find_row,
    measure_in_slices,
    read_rows,
)
from talewright.faces.tui.story.styled_lines import (
    COMPONENTS,
    StoryLine,
    StoryPalette,
    highlight,
    make_palette,
    paint,
)


def copy_lines(lines: Sequence[StoryLine], first: int, selection: Selection) -> str:
    """Return the selected part of some lines, the first of which is on row `first`."""
    parts: list[str] = []
    for row, line in enumerate(lines, first):
        span = selection.get_span(row)
        if span is None:
            continue
        start, end = span
        glued = bool(parts) and line.glue is not None
        if glued:
            start = max(start, line.indent)
        text = line.text[start:] if end < 0 else line.text[start:end]
        parts.append((line.glue or "") + text if glued else "\n" * bool(parts) + text)
    return "".join(parts)


def shift_selection(selection: Selection, rows: int) -> Selection:
    """Move a selection down by a number of rows."""
    start, end = (edge and edge + Offset(0, rows) for edge in selection)
    return Selection(start, end)


NEAR_ROWS: Final = 60
"""Older items are fetched when fewer rows than this are above the viewport."""

UNSEEN: Final = "story--unseen"


class StoryScrollView(ScrollView, can_focus=True):
    """A scrollable view of the rows of a column."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*COMPONENTS, UNSEEN}

    def __init__(
        self,
        *,
        unseen: str,
        clock: Callable[[], float] = monotonic,
        id: str | None = None,  # noqa: A002 - the name is Textual's.
    ) -> None:
        super().__init__(id=id)
        self.column = StoryColumn()
        self.clock = clock
        self.at_end = True
        """Whether the view is at the end, and follows what is added there."""

        self.unseen = False
        """Whether something was added below the viewport."""

        self.older = False
        """Whether there may be older items that are not fetched yet."""

        self.unseen_words = unseen
        """The sign that something was added below."""

        self._palette: StoryPalette | None = None
        self._tending = self._fitting = self._homing = False

    @property
    def wants_older(self) -> bool:
        """Whether older items should be fetched now; never during a selection."""
        near = self._homing or self.scroll_offset.y < NEAR_ROWS
        return self.older and near and bool(self.column.width) and self.text_selection is None

    async def fetch(self) -> Sequence[StoryItem]:
        """Fetch older items; this base class has none."""
        self.older = False
        return ()

    @contextmanager
    def changing(self, dirty: Callable[[], int] | None = None) -> Iterator[None]:
        """Keep the viewport in place while items are added, removed or changed.

        If only rows from some row on look different, `dirty` returns that row; it is called last.
        """
        before, signed = self.scroll_offset.y, self.unseen
        place = self.column.locate(before)
        yield
        self.unseen = self.unseen and not self.at_end
        rows = self.scrollable_content_region.height

        def find_top() -> int:
            last = max(0, self.column.height - rows)
            return last if self.at_end else min(find_row(self.column, place, before), last)

        if self.column.width:
            while self.column.settle(find_top(), rows):
                pass
        moved = find_row(self.column, place, before) - before
        if moved and self.text_selection is not None:
            shifted = shift_selection(self.text_selection, moved)
            self.screen.selections = {**self.screen.selections, self: shifted}
        self._fit(find_top(), dirty() if dirty is not None and signed == self.unseen else None)
        self.wake()

    def wake(self) -> None:
        """Start measuring and fetching, if needed and not already running."""
        needed = self.column.guessing or self.wants_older
        if self._tending or not needed or not self.column.width or not self.is_attached:
            return
        self._tending = True

        async def run() -> None:
            try:
                await measure_in_slices(self)
            finally:
                self._tending = False

        self.run_worker(run(), group="story", exit_on_error=True)

    def animate(self, attribute: str, value: object, **options: object) -> None:
        """Scroll at once, without animation: rows added above would mislead an animated scroll."""
        done = options.get("on_complete")
        setattr(self, attribute, value)
        if callable(done):
            done()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into view, and check whether it is the end."""
        super().watch_scroll_y(old_value, new_value)
        if self._fitting:
            return
        self._homing = False
        self.at_end = new_value >= self.max_scroll_y
        with self.changing(lambda: self.column.height):
            pass

    def action_scroll_home(self) -> None:
        """Scroll to the very beginning, fetching everything in between."""
        super().action_scroll_home()
        self._homing = self.older
        self.wake()

    def on_resize(self, event: events.Resize) -> None:
        """Rewrap for another width: visible rows at once, the rest gradually."""
        width = self.scrollable_content_region.width
        with self.changing():
            if width > 0 and width != self.column.width:
                self.column.resize(width)

    def notify_style_update(self) -> None:
        """Repaint with another theme."""
        super().notify_style_update()
        self._palette = None
        self.column.forget_paint()

    def render_line(self, y: int) -> Strip:
        """Draw one visible row."""
        width, height = self.scrollable_content_region.size
        row = self.scroll_offset.y + y
        if self._palette is None:
            self._palette = make_palette(self)
        strip = (
            self._paint(row, self._palette).crop_extend(0, width, self._palette.base).apply_offsets(0, row)
        )
        if self.unseen and y == height - 1:
            sign = Strip([Segment(f" {self.unseen_words} ", self.get_component_rich_style(UNSEEN))])
            strip = Strip.join([strip.crop(0, width - sign.cell_length), sign])
        return strip

    def on_click(self, event: events.Click) -> None:
        """Scroll to the end on a click on the sign."""
        width, height = self.scrollable_content_region.size
        place = event.get_content_offset(self)
        if self.unseen and place is not None and place.y == height - 1:
            if place.x >= width - cell_len(self.unseen_words) - 2:
                self.scroll_end(animate=False)

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """Return the selected text, for the clipboard."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.column.height - 1
        return copy_lines(list(read_rows(self.column, first, last)), first, selection), "\n"

    def _paint(self, row: int, palette: StoryPalette) -> Strip:
        place = self.column.locate(row)
        if place is None:
            return Strip([], 0)
        laid = self.column.lay(place.item)
        # A row with a guessed height has nothing to show.
        strip = laid.strips.get(place.offset) if place.offset < len(laid.lines) else Strip([], 0)
        if strip is None:
            strip = laid.strips[place.offset] = paint(laid.lines[place.offset], palette)
        selection = self.text_selection
        span = selection.get_span(row) if selection else None
        if span is None:
            return strip
        return highlight(strip, *span, self.screen.get_component_rich_style("screen--selection"))

    def _fit(self, row: int, dirty: int | None) -> None:
        """Tell Textual the height of the column and the first visible row."""
        size = Size(self.column.width, self.column.height)
        self._fitting = True
        if size != self.virtual_size:
            # Setting the reactive value would lay out the whole screen many times a second.
            self.set_reactive(Widget.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
        moved = row != self.scroll_offset.y
        self.scroll_to(y=0 if self._homing else row, animate=False, force=True)
        self._fitting = False
        if dirty is None:
            self.refresh()
        elif not moved and dirty < row + self.size.height:
            self.refresh_lines(dirty, row + self.size.height - dirty)
