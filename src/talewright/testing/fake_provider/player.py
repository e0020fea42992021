"""The player: carries out the steps of one answer on a connection and keeps the ledger while doing so.

What the steps are was decided before; it decides nothing.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from talewright.testing.fake_provider import tokens
from talewright.testing.fake_provider.clocks import Clock
from talewright.testing.fake_provider.http import Exchange
from talewright.testing.fake_provider.ledger import Ending, Page
from talewright.testing.fake_provider.mischief import Cut, Drip, Reset, Send, Stall, Step
from talewright.testing.fake_provider.scripts import Pace
from talewright.testing.fake_provider.wires import Event


class Player:
    """One answer on its way."""

    def __init__(
        self, exchange: Exchange, page: Page, clock: Clock, pace: Pace, headers: Mapping[str, str]
    ) -> None:
        self._exchange = exchange
        self._page = page
        self._clock = clock
        self._pace = pace
        self._headers = headers
        self._begun = False

    async def play(self, steps: Sequence[Step], before_end: Callable[[], None]) -> Ending:
        """Carry the steps out; `before_end` is called before the client can know that it was the end."""
        for step in steps:
            match step:
                case Send(event):
                    await self._send(event)
                case Drip(seconds):
                    self._pace = replace(self._pace, write_bytes=1, gap_seconds=seconds)
                case Stall():
                    await self._begin()
                    await self._exchange.wait_until_gone()
                case Reset():
                    before_end()
                    self._exchange.reset()
                    return Ending.CUT
                case Cut():
                    await self._finish(before_end)
                    return Ending.CUT
                case _:
                    assert_never(step)
        await self._finish(before_end)
        return Ending.WHOLE

    async def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            await self._exchange.begin(200, self._headers)
            self._page.write(replace(self._page.entry, status=200))

    async def _finish(self, before_end: Callable[[], None]) -> None:
        await self._begin()
        before_end()
        await self._exchange.finish()

    async def _send(self, event: Event) -> None:
        await self._begin()
        size = self._pace.write_bytes or len(event.data)
        for start in range(0, len(event.data), size):
            if self._pace.gap_seconds:
                await self._exchange.rest(asyncio.create_task(self._clock.sleep(self._pace.gap_seconds)))
            await self._exchange.send(event.data[start : start + size])
        entry = self._page.entry
        said = entry.said + event.said
        self._page.write(
            replace(
                entry,
                said=said,
                events=entry.events + 1,
                first_at=self._clock.now() if entry.first_at is None else entry.first_at,
                output_tokens=tokens.count(said),
            )
        )
