"""Scrolling and selection: the rows of a column, kept in place while one looks; selecting and copying them.

Lines are laid out when they are to be seen; the rest is left to `story_column`. It knows nothing of turns,
and the clipboard is Textual's business.
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
    """The selected part of some lines, the first of which stands on row `first`."""
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
    """The same selection, when what is selected stands so many rows further down."""
    start, end = (edge and edge + Offset(0, rows) for edge in selection)
    return Selection(start, end)


NEAR_ROWS: Final = 60
"""Rows above the shown ones within which older items are fetched."""

UNSEEN: Final = "story--unseen"


class StoryScrollView(ScrollView, can_focus=True):
    """The rows of a column."""

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
        """Whether the end is looked at, and stays so when something is added."""

        self.unseen = False
        """Whether something was added below what is looked at."""

        self.older = False
        """Whether there may be items that are not fetched yet."""

        self.unseen_words = unseen
        """The sign for that."""

        self._palette: StoryPalette | None = None
        self._tending = self._fitting = self._homing = False

    @property
    def wants_older(self) -> bool:
        """Whether older items are to be fetched now; not beneath the hand of somebody who selects."""
        near = self._homing or self.scroll_offset.y < NEAR_ROWS
        return self.older and near and bool(self.column.width) and self.text_selection is None

    async def fetch(self) -> Sequence[StoryItem]:
        """Older items; of this widget there are none."""
        self.older = False
        return ()

    @contextmanager
    def changing(self, dirty: Callable[[], int] | None = None) -> Iterator[None]:
        """Keep in place what is looked at, while items come, go or change.

        Where only rows from some row on look different, `dirty` says which, once all is done.
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
        """Begin to measure and fetch, if that is needed and not being done."""
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
        """Go there at once: rows that are added above would lead a glide astray."""
        done = options.get("on_complete")
        setattr(self, attribute, value)
        if callable(done):
            done()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into sight, and see whether it is the end."""
        super().watch_scroll_y(old_value, new_value)
        if self._fitting:
            return
        self._homing = False
        self.at_end = new_value >= self.max_scroll_y
        with self.changing(lambda: self.column.height):
            pass

    def action_scroll_home(self) -> None:
        """Go to the very beginning, fetching what lies between."""
        super().action_scroll_home()
        self._homing = self.older
        self.wake()

    def on_resize(self, event: events.Resize) -> None:
        """Fold anew for another width: what is seen at once, the rest by and by."""
        width = self.scrollable_content_region.width
        with self.changing():
            if width > 0 and width != self.column.width:
                self.column.resize(width)

    def notify_style_update(self) -> None:
        """Paint anew with another theme."""
        super().notify_style_update()
        self._palette = None
        self.column.forget_paint()

    def render_line(self, y: int) -> Strip:
        """One row as it is seen."""
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
        """A click on the sign goes to the end."""
        width, height = self.scrollable_content_region.size
        place = event.get_content_offset(self)
        if self.unseen and place is not None and place.y == height - 1:
            if place.x >= width - cell_len(self.unseen_words) - 2:
                self.scroll_end(animate=False)

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """The selected text, for the clipboard."""
        first = selection.start.y if selection.start else 0
        last = selection.end.y if selection.end else self.column.height - 1
        return copy_lines(list(read_rows(self.column, first, last)), first, selection), "\n"

    def _paint(self, row: int, palette: StoryPalette) -> Strip:
        place = self.column.locate(row)
        if place is None:
            return Strip([], 0)
        laid = self.column.lay(place.item)
        # A row that was only guessed has nothing to show.
        strip = laid.strips.get(place.offset) if place.offset < len(laid.lines) else Strip([], 0)
        if strip is None:
            strip = laid.strips[place.offset] = paint(laid.lines[place.offset], palette)
        selection = self.text_selection
        span = selection.get_span(row) if selection else None
        if span is None:
            return strip
        return highlight(strip, *span, self.screen.get_component_rich_style("screen--selection"))

    def _fit(self, row: int, dirty: int | None) -> None:
        """Tell Textual how high the column is and which row is the first to be seen."""
        size = Size(self.column.width, self.column.height)
        self._fitting = True
        if size != self.virtual_size:
            # As a reactive value it would have the whole screen laid out anew, many times a second.
            self.set_reactive(Widget.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
        moved = row != self.scroll_offset.y
        self.scroll_to(y=0 if self._homing else row, animate=False, force=True)
        self._fitting = False
        if dirty is None:
            self.refresh()
        elif not moved and dirty < row + self.size.height:
            self.refresh_lines(dirty, row + self.size.height - dirty)
