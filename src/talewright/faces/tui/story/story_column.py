"""Story column: all items of the story one below the other, with the height of each, measured in slices.

Only heights are held for all; lines are held for what was looked at last. A height that is not measured yet
is a guess.
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
"""Lines that are held laid out; those looked at longest ago are let go first.

More would be laid out less often, which takes little; but a painted line is dozens of objects, and the
collector's pauses, which grow with them, are felt at the keys.
"""

STRIPS_BEHIND: Final = 100
"""Painted lines that are held above the end of what is being told."""

DICE_ROWS: Final = 5
"""Rows that a roll is guessed to take."""


@dataclass(slots=True, eq=False)
class StoryItem:
    """A turn, a note, or the turn that is just being told."""

    entries: tuple[StoryEntry, ...] = ()
    commit: str = ""
    live: LiveNarration | None = None
    height: int = 0
    width: int = 0
    """The width its height was measured for; 0 where it is a guess."""


@dataclass(slots=True)
class LaidOutItem:
    """The lines of an item, and those that are painted already."""

    lines: list[StoryLine]
    strips: dict[int, Strip] = field(default_factory=dict)


class ColumnPosition(NamedTuple):
    """A row of the column by what stands there, which holds when something is added above."""

    item: StoryItem
    offset: int
    number: int
    """Where the item was when this was found out."""


class StoryColumn:
    """Items and their heights."""

    def __init__(self) -> None:
        self.items: list[StoryItem] = []
        self.width = 0
        self.guessing = False
        """Whether some heights may be guesses."""

        self._tops: list[int] | None = None
        """Where each item begins, and where the last one ends; None after a height has changed."""

        self._kept: OrderedDict[StoryItem, LaidOutItem] = OrderedDict()
        self._kept_lines = 0

    @property
    def height(self) -> int:
        """Rows in all."""
        return self._sum()[-1]

    def top(self, item: StoryItem) -> int:
        """The row on which an item begins."""
        # Most often it is the last one, which is just being told.
        last = len(self.items) - 1
        return self.top_at(last if self.items[last] is item else self.items.index(item))

    def top_at(self, index: int) -> int:
        """The row on which the nth item begins."""
        return self._sum()[index]

    def locate(self, row: int) -> ColumnPosition | None:
        """What stands on a row; None beyond the end."""
        tops = self._sum()
        if not 0 <= row < tops[-1]:
            return None
        index = bisect_right(tops, row) - 1
        return ColumnPosition(self.items[index], row - tops[index], index)

    def put(self, items: Iterable[StoryItem], index: int | None = None) -> None:
        """Put items in, at the end or before an item."""
        new = list(items)
        for item in new:
            item.height = item.height or guess_height(item.entries, self.width)
        where = len(self.items) if index is None else index
        self.items[where:where] = new
        self._tops, self.guessing = None, True
        _lay_live(self, new)

    def remove(self, item: StoryItem) -> None:
        """Take an item out."""
        self.items.remove(item)
        self.forget(item)

    def resize(self, width: int) -> None:
        """Take another width: every height becomes a guess."""
        for item in self.items:
            if item.width and item.live is None:
                item.height = max(1, round(item.height * self.width / width))
        self.width = width
        self._kept.clear()
        self._kept_lines = 0
        self._tops, self.guessing = None, True
        _lay_live(self, self.items)

    def forget(self, item: StoryItem) -> None:
        """Let go of what was laid out for an item that has changed."""
        gone = self._kept.pop(item, None)
        self._kept_lines -= len(gone.lines) if gone else 0
        item.width = 0
        self._tops, self.guessing = None, True

    def forget_paint(self) -> None:
        """Let go of everything painted; lines and heights stay."""
        for laid in self._kept.values():
            laid.strips.clear()

    def lay(self, item: StoryItem) -> LaidOutItem:
        """The lines of an item, which has its true height from then on."""
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
        """Take a measured height."""
        grown = height - item.height
        item.width, item.height = self.width, height
        if grown and self._tops is not None and self.items[-1] is item:
            self._tops[-1] += grown
        elif grown:
            self._tops = None

    def flow(self, item: StoryItem) -> int:
        """Lay out what has come in for the item that is being told; the first of its rows that changed."""
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
        """Lay out all that some rows show; whether a height has changed thereby."""
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
    """What is being told is never guessed: it changes faster than it could be measured."""
    for item in items:
        if item.live is not None and column.width:
            column.lay(item)


def read_rows(column: StoryColumn, first: int, last: int) -> Iterator[StoryLine]:
    """The lines of some rows, both ends included."""
    row = max(first, 0)
    while row <= last and (place := column.locate(row)) is not None:
        lines = column.lay(place.item).lines[place.offset :][: last - row + 1] or [BLANK]
        yield from lines
        row += len(lines)


def find_row(column: StoryColumn, place: ColumnPosition | None, otherwise: int) -> int:
    """The row on which something stands now; another, if it is gone."""
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
    """About how many rows entries take; good enough to scroll by until they are measured."""
    cells = max(1, min(width, MEASURE_MAX))
    rows = 0
    for entry in entries:
        if isinstance(entry, RollEntry):
            rows += DICE_ROWS
        else:
            per_character = 1 if entry.text.isascii() else 2
            rows += 2 + len(entry.text) * per_character // cells + entry.text.count("\n") // 2
    return max(1, rows)


def find_guesses(column: StoryColumn) -> list[StoryItem]:
    """Items that are not measured, the newest first; what is being told is never among them."""
    guesses = [item for item in reversed(column.items) if item.width != column.width and item.live is None]
    column.guessing = bool(guesses)
    return guesses


def measure(
    items: Sequence[StoryItem], width: int, clock: Callable[[], float], seconds: float
) -> list[tuple[StoryItem, int]]:
    """The heights of as many items as fit into some time, one at least."""
    end = clock() + seconds
    heights: list[tuple[StoryItem, int]] = []
    for item in items:
        heights.append((item, len(lay_out(item.entries, width))))
        if clock() >= end:
            break
    return heights


SLICE_SECONDS: Final = 0.008
"""How long measuring may keep events waiting."""

APPLY_SECONDS: Final = 0.1
"""How long measured heights are gathered before the scroll bar hears of them."""


class MeasuredView(Protocol):
    """What is tended."""

    column: StoryColumn
    clock: Callable[[], float]

    @property
    def wants_older(self) -> bool:
        """Whether older items are to be fetched now."""

    async def fetch(self) -> Sequence[StoryItem]:
        """Older items."""

    def changing(self) -> AbstractContextManager[None]:
        """Keeps in place what is looked at, while heights change."""


async def measure_in_slices(tended: MeasuredView) -> None:
    """Measure what is only guessed, then fetch what is wanted, until there is neither."""
    while True:
        if guesses := find_guesses(tended.column):
            await _measure(tended, guesses)
        elif tended.wants_older:
            older = await tended.fetch()
            with tended.changing():
                tended.column.put(older, 0)
        else:
            return
        await asyncio.sleep(0)


async def _measure(tended: MeasuredView, guesses: list[StoryItem]) -> None:
    column, clock = tended.column, tended.clock
    width, done = column.width, 0
    heights: list[tuple[StoryItem, int]] = []
    end = clock() + APPLY_SECONDS
    while done < len(guesses) and clock() < end:
        some = measure(guesses[done:], width, clock, SLICE_SECONDS)
        heights += some
        done += len(some)
        await asyncio.sleep(0)
        if column.width != width:
            return
    with tended.changing():
        for item, height in heights:
            # It may have been laid out, changed or taken out in the meantime.
            if item.width != width and item.live is None:
                column.set_height(item, height)
