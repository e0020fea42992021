"""Height measurement: items of a column measured between events, in slices so short that no key waits.

It ends by itself when all is measured and nothing older is wanted.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from talewright.faces.tui.story.story_column import StoryColumn, StoryItem
from talewright.faces.tui.story.story_layout import lay_out


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
