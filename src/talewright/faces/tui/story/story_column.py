"""Story column: all items of the story with their heights, which are measured in slices.

Heights are stored for all items, lines only for those viewed recently. A height that is not measured yet is
an estimate.
"""

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, NamedTuple, Protocol

from textual.strip import Strip

from talewright.faces.tui.story.live_narration import LiveNarration
from talewright.faces.tui.story.story_entries import RollEntry, StoryEntry
from talewright.faces.tui.story.story_layout import lay_out
from talewright.faces.tui.story.styled_lines import BLANK, MEASURE_MAX, StoryLine

LINES_KEPT: Final = 600
"""How many laid-out lines are cached; the least recently viewed are dropped first.

A larger cache would save little layout time. But a painted line is dozens of objects, and garbage collection
pauses, which grow with them, delay key presses.
"""

STRIPS_BEHIND: Final = 100
"""How many painted lines are cached above the end of the turn being narrated."""

DICE_ROWS: Final = 5
"""Estimated height of a roll, in rows."""


@dataclass(slots=True, eq=False)
class StoryItem:
    """A turn, a note, or the turn being narrated."""

    entries: tuple[StoryEntry, ...] = ()
    commit: str = ""
    live: LiveNarration | None = None
    height: int = 0
    width: int = 0
    """The width its height was measured for; 0 when the height is an estimate."""


@dataclass(slots=True)
class LaidOutItem:
    """The lines of an item, and those that are painted already."""

    lines: list[StoryLine]
    strips: dict[int, Strip] = field(default_factory=dict)


class ColumnPosition(NamedTuple):
    """A row identified by its item, which stays valid when something is added above."""

    item: StoryItem
    offset: int
    number: int
    """The index of the item when this position was found."""


class StoryColumn:
    """Items and their heights."""

    def __init__(self) -> None:
        self.items: list[StoryItem] = []
        self.width = 0
        self.guessing = False
        """Whether some heights may be estimates."""

        self._tops: list[int] | None = None
        """The first row of each item, then the end of the last one; None after a height has changed."""

        self._kept: OrderedDict[StoryItem, LaidOutItem] = OrderedDict()
        self._kept_lines = 0

    @property
    def height(self) -> int:
        """Total number of rows."""
        return self._sum()[-1]

    def top(self, item: StoryItem) -> int:
        """Return the first row of an item."""
        # Usually this is the last item, which is being narrated.
        last = len(self.items) - 1
        return self.top_at(last if self.items[last] is item else self.items.index(item))

    def top_at(self, index: int) -> int:
        """Return the first row of the nth item."""
        return self._sum()[index]

    def locate(self, row: int) -> ColumnPosition | None:
        """Find what is on a row; None beyond the end."""
        tops = self._sum()
        if not 0 <= row < tops[-1]:
            return None
        index = bisect_right(tops, row) - 1
        return ColumnPosition(self.items[index], row - tops[index], index)

    def put(self, items: Iterable[StoryItem], index: int | None = None) -> None:
        """Insert items at the end or before an item."""
        new = list(items)
        for item in new:
            item.height = item.height or guess_height(item.entries, self.width)
        where = len(self.items) if index is None else index
        self.items[where:where] = new
        self._tops, self.guessing = None, True
        _lay_live(self, new)

    def remove(self, item: StoryItem) -> None:
        """Remove an item."""
        self.items.remove(item)
        self.forget(item)

    def resize(self, width: int) -> None:
        """Change the width: every height becomes an estimate."""
        for item in self.items:
            if item.width and item.live is None:
                item.height = max(1, round(item.height * self.width / width))
        self.width = width
        self._kept.clear()
        self._kept_lines = 0
        self._tops, self.guessing = None, True
        _lay_live(self, self.items)

    def forget(self, item: StoryItem) -> None:
        """Drop the cached layout of an item that has changed."""
        gone = self._kept.pop(item, None)
        self._kept_lines -= len(gone.lines) if gone else 0
        item.width = 0
        self._tops, self.guessing = None, True

    def forget_paint(self) -> None:
        """Drop all painted lines; lines and heights stay."""
        for laid in self._kept.values():
            laid.strips.clear()

    def lay(self, item: StoryItem) -> LaidOutItem:
        """Lay out an item, which also measures its height."""
        laid = self._kept.get(item)
        if laid is None:
            if item.live is not None:
                item.live.lay_out(self.width)
                laid = LaidOutItem(item.live.lines)
            else:
                laid = LaidOutItem(lay_out(item.entries, self.width))
            self._kept[item] = laid
            self._kept_lines += len(laid.lines)
            while self._kept_lines > LINES_KEPT and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._kept_lines -= len(gone.lines)
        self._kept.move_to_end(item)
        self.set_height(item, len(laid.lines))
        return laid

    def set_height(self, item: StoryItem, height: int) -> None:
        """Set a measured height."""
        grown = height - item.height
        item.width, item.height = self.width, height
        if grown and self._tops is not None and self.items[-1] is item:
            self._tops[-1] += grown
        elif grown:
            self._tops = None

    def flow(self, item: StoryItem) -> int:
        """Lay out what has arrived for the item being narrated; return the first changed row."""
        laid = self.lay(item)
        if item.live is None:
            return 0
        before = len(laid.lines)
        first = item.live.lay_out(self.width)
        kept = range(first - STRIPS_BEHIND, first)
        laid.strips = {row: strip for row, strip in laid.strips.items() if row in kept}
        self._kept_lines += len(laid.lines) - before
        self.set_height(item, len(laid.lines))
        return first

    def settle(self, row: int, rows: int) -> bool:
        """Lay out everything visible in some rows; return whether a height has changed."""
        tops = self._sum()
        before = tops[-1]
        for index in range(max(0, bisect_right(tops, row) - 1), len(self.items)):
            if tops[index] >= row + rows:
                break
            if self.items[index].width != self.width:
                self.lay(self.items[index])
        return self._tops is not tops or tops[-1] != before

    def _sum(self) -> list[int]:
        if self._tops is None:
            self._tops = [0, *accumulate(item.height for item in self.items)]
        return self._tops


def _lay_live(column: StoryColumn, items: Iterable[StoryItem]) -> None:
    """Lay out the item being narrated, which is never estimated: it changes too fast to be measured."""
    for item in items:
        if item.live is not None and column.width:
            column.lay(item)


def read_rows(column: StoryColumn, first: int, last: int) -> Iterator[StoryLine]:
    """Return the lines of some rows, both ends included."""
    row = max(first, 0)
    while row <= last and (place := column.locate(row)) is not None:
        lines = column.lay(place.item).lines[place.offset :][: last - row + 1] or [BLANK]
        yield from lines
        row += len(lines)


def find_row(column: StoryColumn, place: ColumnPosition | None, otherwise: int) -> int:
    """Find the current row of a position; `otherwise` if its item is gone."""
    if place is None:
        return otherwise
    item, offset, number = place
    if number < len(column.items) and column.items[number] is item:
        top = column.top_at(number)
    elif item in column.items:
        top = column.top(item)
    else:
        return otherwise
    return top + min(offset, item.height - 1)


def guess_height(entries: Sequence[StoryEntry], width: int) -> int:
    """Estimate the height of entries in rows, well enough to scroll by until they are measured."""
    cells = max(1, min(width, MEASURE_MAX))
    rows = 0
    for entry in entries:
        if isinstance(entry, RollEntry):
            rows += DICE_ROWS if len(entry.rolls) == 1 else DICE_ROWS // 2 * len(entry.rolls)
        else:
            per_character = 1 if entry.text.isascii() else 2
            rows += 2 + len(entry.text) * per_character // cells + entry.text.count("\n") // 2
    return max(1, rows)


def find_guesses(column: StoryColumn) -> list[StoryItem]:
    """Find items that are not measured, newest first; never the one being narrated."""
    guesses = [item for item in reversed(column.items) if item.width != column.width and item.live is None]
    column.guessing = bool(guesses)
    return guesses


def measure(
    items: Sequence[StoryItem], width: int, clock: Callable[[], float], seconds: float
) -> list[tuple[StoryItem, int]]:
    """Measure as many items as fit into a time, at least one."""
    end = clock() + seconds
    heights: list[tuple[StoryItem, int]] = []
    for item in items:
        heights.append((item, len(lay_out(item.entries, width))))
        if clock() >= end:
            break
    return heights


SLICE_SECONDS: Final = 0.008
"""How long measuring may block event handling, in seconds."""

APPLY_SECONDS: Final = 0.1
"""How long measured heights are collected before the scroll bar is updated."""


class MessageTaker(Protocol):
    """A widget that handles messages one after the other."""

    def call_later(self, callback: Callable[[], None]) -> bool:
        """Call back after the messages that have arrived; returns False if it is being closed."""


async def handle_pending(taker: MessageTaker) -> None:
    """Wait until the messages that have arrived, such as keys, are handled."""
    handled = asyncio.Event()
    if taker.call_later(handled.set):
        await handled.wait()


class MeasuredView(MessageTaker, Protocol):
    """The view that is measured."""

    column: StoryColumn
    clock: Callable[[], float]

    @property
    def wants_older(self) -> bool:
        """Whether older items should be fetched now."""

    async def fetch(self) -> Sequence[StoryItem]:
        """Fetch older items."""

    def changing(self) -> AbstractContextManager[None]:
        """Keep the viewport in place while heights change."""


async def measure_in_slices(tended: MeasuredView) -> None:
    """Measure estimated heights, then fetch older items, until nothing is left to do."""
    while True:
        if guesses := find_guesses(tended.column):
            await _measure(tended, guesses)
        elif tended.wants_older:
            older = await tended.fetch()
            with tended.changing():
                tended.column.put(older, 0)
        else:
            return
        await handle_pending(tended)


async def _measure(tended: MeasuredView, guesses: list[StoryItem]) -> None:
    column, clock = tended.column, tended.clock
    width, done = column.width, 0
    heights: list[tuple[StoryItem, int]] = []
    end = clock() + APPLY_SECONDS
    while done < len(guesses) and clock() < end:
        some = measure(guesses[done:], width, clock, SLICE_SECONDS)
        heights += some
        done += len(some)
        await handle_pending(tended)
        if column.width != width:
            return
    with tended.changing():
        for item, height in heights:
            # The item may have been laid out, changed or removed in the meantime.
            if item.width != width and item.live is None:
                column.set_height(item, height)
