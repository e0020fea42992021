"""Reading ahead in a session: when to send the known part of the next prompt, and when to stop.

It is sent when all other background work is done: another prompt in between would push it out of the server's
cache. It stops at the player's next input, a cancel, a change of branch, or when the player leaves. One runs
at a time.
"""

import asyncio

from talewright.chronicle.records import Commit
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork, record_troubles
from talewright.turn.background.sending_ahead import send_ahead
from talewright.turn.turn_context import Road


class SessionAhead:
    """Reads ahead for one session."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._tasks: set[asyncio.Task[None]] = set()
        """The newest, and older ones that are ending."""

    def start(self, branch: str, commit: Commit, work: "asyncio.Task[None] | None" = None) -> None:
        """Send the known part of the prompt after a turn, once other work is done; this replaces a running
        one.
        """
        if self._road.teller is None or self._road.teller.ahead is None:
            return
        self._cancel()
        before = self._tasks if work is None else self._tasks | {work}
        task = asyncio.create_task(self._read(branch, commit, frozenset(before)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Stop it, and wait until the connection is closed and the record is written."""
        self._cancel()
        await self.rest()

    async def rest(self) -> None:
        """Wait until no reading ahead is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _cancel(self) -> None:
        for task in self._tasks:
            # If it were cancelled twice, it could not write its record.
            if not task.cancelling():
                task.cancel()

    async def _read(self, branch: str, commit: Commit, before: "frozenset[asyncio.Task[None]]") -> None:
        if before:
            await asyncio.wait(before)
        troubles = BackgroundTroubles()
        with troubles.catch(BackgroundWork.AHEAD):
            await send_ahead(self._road, branch)
        await record_troubles(self._road, commit, troubles.found)
