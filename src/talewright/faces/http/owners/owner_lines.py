"""Owner lines: how many requests of one owner a node works on at the same time; the others wait in a line.

A node does everything in one event loop, and takes up at once whatever arrives. Without lines, all requests
of an owner who sends a thousand would be ahead of the next one of somebody else. Nobody waits for the line of
another owner, and no request is refused here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

AT_ONCE = 8
"""Requests of an owner that a node works on at the same time."""

WORK_SECONDS = 0.25
"""A request that takes longer waits for something, such as the end of a turn, and makes room."""


@dataclass(slots=True)
class _Line:
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    requests: int = 0
    """In the line or in a place; without any, the line is forgotten."""


class OwnerLines:
    """The lines of a node."""

    def __init__(self, work_seconds: float = WORK_SECONDS) -> None:
        self._work_seconds = work_seconds
        self._lines: dict[str, _Line] = {}

    @property
    def count(self) -> int:
        """How many owners have requests."""
        return len(self._lines)

    @asynccontextmanager
    async def hold_place(self, owner: str) -> AsyncIterator[Callable[[], None]]:
        """Wait for a place and hold it; calling the value gives it back early."""
        line = self._lines.setdefault(owner, _Line())
        line.requests += 1
        try:
            await line.places.acquire()
            is_held = True

            def leave() -> None:
                nonlocal is_held
                if is_held:
                    is_held = False
                    line.places.release()

            timer = asyncio.get_running_loop().call_later(self._work_seconds, leave)
            try:
                yield leave
            finally:
                timer.cancel()
                leave()
        finally:
            line.requests -= 1
            if not line.requests:
                del self._lines[owner]
