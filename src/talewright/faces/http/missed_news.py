"""Missed events: what a stream has missed, read from the campaign's record until its feed takes over.

When a node is lost, all its streams reconnect at once, and most have missed the same events. Those are read
once for all of them.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from talewright.errors import TalewrightError
from talewright.faces.http.sse_frames import COMMENT, COMMENT_SECONDS, FrameLog, write_frame
from talewright.play.session import FollowingSession

FRAMES_MAX = 256
"""Frames in one catch-up; a stream that missed more continues with the next one."""


class CatchUp:
    """The frames that some streams have missed, read once for all of them."""

    def __init__(self, missed: AsyncGenerator[tuple[bytes, int], None]) -> None:
        self._frames: list[tuple[bytes, int]] = []
        self._readers = 0
        self._ended = False
        self._woken = asyncio.Event()
        self._task = asyncio.create_task(self._fill(missed))

    @property
    def is_full(self) -> bool:
        """Whether there is more to read after it."""
        return len(self._frames) >= FRAMES_MAX

    @property
    def is_abandoned(self) -> bool:
        """Whether all readers left before it was complete."""
        return self._task.cancelled() or self._task.cancelling() > 0

    async def read(self) -> AsyncGenerator[tuple[bytes, int], None]:
        """Every frame with its number, from the first one on."""
        self._readers += 1
        position = 0
        try:
            while True:
                while position < len(self._frames):
                    yield self._frames[position]
                    position += 1
                if self._ended:
                    return
                await self._woken.wait()
        finally:
            self._readers -= 1
            if not self._readers and not self._ended:
                self._task.cancel()

    async def _fill(self, missed: AsyncGenerator[tuple[bytes, int], None]) -> None:
        try:
            # Requests report why a campaign cannot be read.
            with suppress(TalewrightError):
                async with aclosing(missed):
                    async for frame in missed:
                        self._frames.append(frame)
                        self._wake()
                        if self.is_full:
                            return
        finally:
            self._ended = True
            self._wake()

    def _wake(self) -> None:
        self._woken.set()
        self._woken.clear()


async def read_missed(
    session: FollowingSession, log: FrameLog, after: int
) -> AsyncGenerator[tuple[bytes, int], None]:
    """The frames a stream has missed, each with its number, until the log takes over or ends."""
    watch = session.watch(after)
    coming = asyncio.ensure_future(anext(watch, None))
    # It keeps waiting from one event to the next, so that the log cannot receive an event unnoticed.
    woken = asyncio.ensure_future(log.wait())
    met = False
    try:
        while True:
            await asyncio.wait({coming, woken}, timeout=COMMENT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                news = coming.result()
                if news is None:
                    return
                yield write_frame(news), news.number
                after = news.number
                # In the middle of a commit's events, the log may leave out what its readers already have.
                met = news.is_live or news.ends_turn
                coming = asyncio.ensure_future(anext(watch, None))
            elif not woken.done():
                yield COMMENT, after
            if woken.done():
                woken = asyncio.ensure_future(log.wait())
            if log.ended or (met and log.find(after) is not None):
                return
    finally:
        for waiting in (woken, coming):
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
