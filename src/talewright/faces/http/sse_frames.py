"""SSE frames: events encoded as server-sent events, and a bounded log of the newest frames.

Frames are encoded once for all readers, and only if there is one. A reader is a position in the log: it costs
nothing, and a slow one is left behind.
"""

import asyncio
from collections import deque

from talewright.faces.http.json_answers import dump, encode
from talewright.play.news import DeltaNews, News

RETRY = b"retry: 1000\n\n"
"""The first frame of a stream: how many milliseconds a client waits before it reconnects."""

COMMENT = b":\n\n"
"""A frame without meaning that keeps a connection open."""

COMMENT_SECONDS = 15.0
"""How often a stream without events gets a comment."""

FRAMES_KEPT_MAX = 2048
"""How many frames are kept; a reader that is further behind catches up from the campaign's record."""

CHUNK_FRAMES_MAX = 256
"""Frames that are sent at once."""


def write_frame(news: News) -> bytes:
    """One event as a frame."""
    kind = news.kind.value
    if isinstance(news.event, DeltaNews):
        # Most events are pieces of narration, and the codec inspects every value.
        body = dump(
            {
                "number": news.number,
                "kind": kind,
                "branch": news.branch,
                "operation_id": news.operation_id,
                "data": {"text": news.event.text},
            }
        )
    else:
        body = encode(news)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (news.number, kind.encode(), body)


def write_position(number: int) -> bytes:
    """A frame without an event: the id from which a client without any events resumes."""
    return b"id: %d\n\n" % number


class FrameLog:
    """The newest frames of a feed, in order."""

    def __init__(self, kept_max: int = FRAMES_KEPT_MAX) -> None:
        self._kept_max = kept_max
        self._frames: deque[bytes | News] = deque()
        """Events are encoded when someone first takes them."""

        self._numbers: deque[int] = deque()
        self._places: dict[int, int] = {}
        """By the number of a frame, the position after it."""

        self._first = 0
        self._newest = -1
        """The greatest number so far."""

        self._woken = asyncio.Event()
        self.ended = False

    @property
    def end(self) -> int:
        """The position after the newest frame."""
        return self._first + len(self._frames)

    def append(self, frame: bytes | News, number: int = -1) -> None:
        """Add a frame, or news for one; without a number, it is only a comment."""
        number = number if number >= 0 else self._newest
        self._newest = number
        self._frames.append(frame)
        self._numbers.append(number)
        self._places[number] = self.end
        if len(self._frames) > self._kept_max:
            self._frames.popleft()
            gone = self._numbers.popleft()
            self._first += 1
            if self._places.get(gone) == self._first:
                del self._places[gone]
        self.wake()

    def find(self, number: int) -> int | None:
        """The position after the frame with a number; None if it is not here."""
        return self._places.get(number)

    def take(self, position: int) -> tuple[bytes, int, int] | None:
        """The frames from a position on, the position after them, and the number of the last.

        None if the reader has fallen behind and some of them are gone.
        """
        at = position - self._first
        if at < 0:
            return None
        count = len(self._frames)
        if at == count - 1:
            # Most readers wait for the newest frame, and indexing the ends of a deque is fast.
            return self._encode(-1), position + 1, self._numbers[-1]
        upto = min(at + CHUNK_FRAMES_MAX, count)
        frames = b"".join(self._encode(index) for index in range(at, upto))
        return frames, self._first + upto, self._numbers[upto - 1] if upto else -1

    def _encode(self, index: int) -> bytes:
        frame = self._frames[index]
        if not isinstance(frame, bytes):
            frame = self._frames[index] = write_frame(frame)
        return frame

    async def wait(self) -> None:
        """Wait for the next frame, or the end."""
        if not self.ended:
            await self._woken.wait()

    def wake(self) -> None:
        """Wake everyone who waits now."""
        self._woken.set()
        self._woken.clear()
