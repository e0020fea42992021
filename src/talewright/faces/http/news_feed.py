"""News feeds: one campaign's events for one role, read once and sent to every stream of this process.

A feed is a cache. A stream that has missed events catches up from the campaign's record until it reaches the
feed.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace

from talewright.errors import TalewrightError
from talewright.faces.http.missed_news import CatchUp, read_missed
from talewright.faces.http.sse_frames import COMMENT, COMMENT_SECONDS, RETRY, FrameLog, write_position
from talewright.play.campaign_view import Viewer
from talewright.play.news import DeltaNews, News
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session import FollowingSession

COALESCE_SECONDS = 0.075
"""How long pieces of narration are collected; the first after a pause is sent at once."""

CATCH_UP_SECONDS = 5.0
"""How long one catch-up is kept for other streams that missed the same, as when a node is lost."""

LINGER_SECONDS = 20.0
"""How long a feed keeps running without streams, for clients that reconnect."""


class NewsFeed:
    """One campaign's events for one role."""

    def __init__(self) -> None:
        self.session_number = 0
        """The number of its session in the pool; 0 until it has one."""

        self.every = FrameLog()
        """Every piece of narration in a frame of its own."""

        self.coalesced = FrameLog()
        self.streams = 0
        self.session: FollowingSession | None = None
        self._catch_ups: dict[tuple[bool, int], CatchUp] = {}
        """By whether every piece of narration is sent, and the number of the last event the stream has."""

        self._collected: News | None = None
        self._flushing: asyncio.TimerHandle | None = None
        self._sent_at = float("-inf")
        self._heard_at = float("-inf")

    def publish(self, news: News) -> None:
        """Add an event to both logs."""
        self._heard_at = asyncio.get_running_loop().time()
        self.every.append(news, news.number)
        if not isinstance(news.event, DeltaNews):
            self.flush()
            self.coalesced.append(news, news.number)
            return
        if self._collected is not None and self._collected.operation_id != news.operation_id:
            self.flush()
        if self._collected is not None:
            assert isinstance(self._collected.event, DeltaNews)
            text = self._collected.event.text + news.event.text
            self._collected = replace(news, event=DeltaNews(text))
            return
        self._collected = news
        left = self._sent_at + COALESCE_SECONDS - self._heard_at
        if left <= 0:
            self.flush()
        else:
            self._flushing = asyncio.get_running_loop().call_later(left, self.flush)

    def flush(self) -> None:
        """Send the narration that was collected."""
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        if self._collected is not None:
            self.coalesced.append(self._collected, self._collected.number)
            self._collected = None
            self._sent_at = asyncio.get_running_loop().time()

    def catch_up(self, session: FollowingSession, after: int, *, every: bool) -> CatchUp:
        """What streams missed after a number: read once for all that connect at about the same time."""
        key = (every, after)
        shared = self._catch_ups.get(key)
        if shared is None or shared.is_abandoned:
            log = self.every if every else self.coalesced
            shared = self._catch_ups[key] = CatchUp(read_missed(session, log, after))
            asyncio.get_running_loop().call_later(CATCH_UP_SECONDS, self._forget, key, shared)
        return shared

    def _forget(self, key: tuple[bool, int], shared: CatchUp) -> None:
        if self._catch_ups.get(key) is shared:
            del self._catch_ups[key]

    def comment(self, since: float) -> None:
        """Keep the connections of both logs open, unless an event was sent since then."""
        if self._heard_at <= since:
            self._heard_at = asyncio.get_running_loop().time()
            self.every.append(COMMENT)
            self.coalesced.append(COMMENT)

    def end(self) -> None:
        """Let every stream send the rest, then end."""
        self.flush()
        for log in (self.every, self.coalesced):
            log.ended = True
            log.wake()


class NewsFeeds:
    """The feeds of one process."""

    def __init__(self, pool: SessionPool, linger_seconds: float = LINGER_SECONDS) -> None:
        self._pool = pool
        self._linger_seconds = linger_seconds
        self._feeds: dict[tuple[str, Viewer], NewsFeed] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def stream(
        self, campaign: str, role: Viewer, after: int = -1, *, every: bool = False
    ) -> AsyncGenerator[bytes, None]:
        """The frames for one client; after a number, it starts with what the client has missed."""
        yield RETRY
        async with self._join(campaign, role) as feed:
            if after < 0 and feed.session is not None:
                # A client that loses the connection before the first event can still resume.
                after = feed.session.newest_number()
                yield write_position(after)
            log = feed.every if every else feed.coalesced
            position = log.find(after) if after >= 0 else None
            while feed.session is not None:
                if position is None:
                    before, shared = after, feed.catch_up(feed.session, after, every=every)
                    async with aclosing(shared.read()) as missed:
                        async for frame, number in missed:
                            after = number
                            yield frame
                    position = log.find(after)
                    if position is None and after == before and not shared.is_full:
                        # There will be nothing more.
                        return
                elif position < log.end:
                    taken = log.take(position)
                    if taken is None:
                        position = None
                        continue
                    frames, position, after = taken
                    yield frames
                elif log.ended:
                    return
                else:
                    await log.wait()

    async def close(self) -> None:
        """End every stream."""
        for feed in tuple(self._feeds.values()):
            feed.end()
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    @asynccontextmanager
    async def _join(self, campaign: str, role: Viewer) -> AsyncIterator[NewsFeed]:
        key = (campaign, role)
        if key in self._feeds:
            await self._end_outdated(key)
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = NewsFeed()
            task = asyncio.create_task(self._run(key, feed))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        feed.streams += 1
        try:
            while feed.session is None and not feed.every.ended:
                await feed.every.wait()
            yield feed
        finally:
            feed.streams -= 1

    async def _end_outdated(self, key: tuple[str, Viewer]) -> None:
        """End a feed whose session is no longer used: its campaign may be another one with the name."""
        # The feed's own task reads the session again, whatever the error.
        with suppress(TalewrightError):
            async with self._pool.use(*key):
                feed = self._feeds.get(key)
                if feed is not None and feed.session_number not in (0, self._pool.number_of(*key)):
                    del self._feeds[key]
                    feed.end()

    async def _run(self, key: tuple[str, Viewer], feed: NewsFeed) -> None:
        """Read a session's events into a feed, as long as someone listens."""
        try:
            # Requests report why a campaign cannot be opened.
            with suppress(TalewrightError):
                async with self._pool.use(*key) as session:
                    feed.session_number = self._pool.number_of(*key)
                    await self._read(session, feed)
        finally:
            feed.end()
            if self._feeds.get(key) is feed:
                del self._feeds[key]

    async def _read(self, session: FollowingSession, feed: NewsFeed) -> None:
        reading = asyncio.create_task(_pump(session.watch(), feed))
        feed.session = session
        feed.every.wake()
        loop = asyncio.get_running_loop()
        watched_at = loop.time()
        try:
            while not reading.done() and not feed.every.ended:
                await asyncio.wait({reading}, timeout=min(self._linger_seconds, COMMENT_SECONDS))
                now = loop.time()
                if feed.streams:
                    watched_at = now
                    feed.comment(now - COMMENT_SECONDS)
                elif now - watched_at >= self._linger_seconds:
                    return
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError, TalewrightError):
                await reading


async def _pump(watch: AsyncIterator[News], feed: NewsFeed) -> None:
    """Publish events as they arrive."""
    async for news in watch:
        feed.publish(news)
