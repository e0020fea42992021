"""The fake server's clock: real time, or time that is advanced by hand.

Nothing else in the fake provider reads the time or sleeps.
"""

import asyncio
from typing import Protocol


class ServerClock(Protocol):
    """A source of time that can also sleep."""

    def now(self) -> float:
        """Return the current time in seconds, from an arbitrary start."""

    async def sleep(self, seconds: float) -> None:
        """Sleep for some seconds."""


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        """Return the event loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Really wait."""
        await asyncio.sleep(seconds)


class HandClock:
    """A clock that stands still until it is advanced."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self._now = now
        self._sleepers: list[tuple[float, asyncio.Event]] = []
        self._slept = asyncio.Condition()

    def now(self) -> float:
        """Return the time it was advanced to."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has been advanced far enough."""
        sleeper = (self._now + seconds, asyncio.Event())
        self._sleepers.append(sleeper)
        try:
            async with self._slept:
                self._slept.notify_all()
            await sleeper[1].wait()
        finally:
            # A cancelled sleeper must not stay in the list.
            self._sleepers = [each for each in self._sleepers if each is not sleeper]

    def advance(self, seconds: float) -> None:
        """Advance the clock and wake those whose time has come."""
        self._now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._now]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._now]
        for _, wake in due:
            wake.set()

    async def until_someone_sleeps(self) -> None:
        """Wait until someone sleeps, without advancing the clock."""
        async with self._slept:
            await self._slept.wait_for(lambda: bool(self._sleepers))
