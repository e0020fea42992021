"""The fake server's clock: real time, or a time that is moved by hand.

Nothing else of the fake provider asks what time it is or sleeps.
"""

import asyncio
from typing import Protocol


class ServerClock(Protocol):
    """Whoever tells the time and lets it pass."""

    def now(self) -> float:
        """Seconds since some beginning."""

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""


class LoopClock:
    """The time of the running event loop."""

    def now(self) -> float:
        """Seconds of the loop's own clock."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Really wait."""
        await asyncio.sleep(seconds)


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self._now = now
        self._sleepers: list[tuple[float, asyncio.Event]] = []
        self._slept = asyncio.Condition()

    def now(self) -> float:
        """Where the hands stand."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until the hands have been moved so far."""
        sleeper = (self._now + seconds, asyncio.Event())
        self._sleepers.append(sleeper)
        try:
            async with self._slept:
                self._slept.notify_all()
            await sleeper[1].wait()
        finally:
            # Who is cancelled sleeps no longer.
            self._sleepers = [each for each in self._sleepers if each is not sleeper]

    def advance(self, seconds: float) -> None:
        """Move the hands; who has slept long enough wakes."""
        self._now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._now]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._now]
        for _, wake in due:
            wake.set()

    async def until_someone_sleeps(self) -> None:
        """Wait, without any time passing, until somebody sleeps."""
        async with self._slept:
            await self._slept.wait_for(lambda: bool(self._sleepers))
