"""Tending: what is done for a column between events, in slices short enough that no key waits.

It ends by itself when all is measured and nothing older is wanted.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from talewright.faces.tui.story.column import Column, Item, find_guesses, measure

SLICE_SECONDS: Final = 0.008
"""How long measuring may keep events waiting."""

APPLY_SECONDS: Final = 0.1
"""How long measured heights are gathered before the scroll bar hears of them."""


class Tended(Protocol):
    """What is tended."""

    column: Column
    clock: Callable[[], float]

    @property
    def wants_older(self) -> bool:
        """Whether older items are to be fetched now."""

    async def fetch(self) -> Sequence[Item]:
        """Older items."""

    def changing(self) -> AbstractContextManager[None]:
        """Keeps in place what is looked at, while heights change."""


async def tend(tended: Tended) -> None:
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


async def _measure(tended: Tended, guesses: list[Item]) -> None:
    column, clock = tended.column, tended.clock
    width, done = column.width, 0
    heights: list[tuple[Item, int]] = []
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
