"""Events from a server: one stream for each watcher, which reconnects where it broke off.

No commit is missed: a new connection names the last event that was received.
"""

import asyncio
import json
import weakref
from contextlib import suppress
from dataclasses import replace

import httpx

from talewright.errors import TalewrightError
from talewright.play.news import AcceptedNews, DeltaNews, DiceNews, News, NewsEvent, ResetNews
from talewright.play.wire.view_codec import WireError, read_news
from talewright.remote.campaign_requests import CampaignRequests
from talewright.remote.event_stream import EventStreamParser

QUEUE_MAX = 1_000
"""How many events may wait for a slow watcher; beyond that the stream is not read, and the server catches up
later.
"""

CONNECT_WAIT_SECONDS = 2.0
"""How long an input waits for its session's streams; after that it is sent without them."""


class NewsReader:
    """Reads one stream, and reconnects as long as it has a watcher."""

    def __init__(self, requests: CampaignRequests, after: int) -> None:
        self._requests = requests
        self._after = after
        self.ready: asyncio.Queue[News | TalewrightError | None] = asyncio.Queue(QUEUE_MAX)
        """Received events; at the end an error, or None."""

        self.number = after
        """The number from which it resumes; -1 if it has received nothing."""

        self._telling: set[str] = set()
        """The operations that have sent text and have not ended."""

        self.connected = asyncio.Event()
        """Whether the server has named a number to resume from, or never will: from then on nothing is
        missed.
        """

    async def run(self) -> None:
        """Read until there is an error that retrying would not fix."""
        connection, attempt = self._requests.connection, 0
        parser = EventStreamParser("" if self._after < 0 else str(self._after))
        try:
            while True:
                received = parser.last_id
                # It breaks when the network does, or when the server is restarted.
                with suppress(httpx.TransportError):
                    await self._read(parser)
                # After some events, only the connection was lost; without any, the server may need time.
                attempt = 0 if parser.last_id != received else attempt + 1
                if attempt:
                    await connection.sleep(connection.retry.pause_seconds(attempt - 1))
                parser = EventStreamParser(parser.last_id)
        except TalewrightError as error:
            await self.ready.put(error)
        finally:
            self.connected.set()

    async def _read(self, parser: EventStreamParser) -> None:
        requests = self._requests
        headers = {"Last-Event-ID": parser.last_id} if parser.last_id else {}
        path = requests.path("news")
        async with requests.connection.stream(path, requests.query, headers) as chunks:
            async for data in chunks:
                events = parser.feed(data)
                if parser.last_id:
                    self.number = _read_number(parser.last_id)
                    self.connected.set()
                for event in events:
                    try:
                        news = read_news(json.loads(event.data))
                    except (ValueError, RecursionError):
                        raise WireError("an event of the server is not JSON") from None
                    if news is not None:
                        await self.ready.put(self._restart(news))

    def _restart(self, news: News) -> News:
        """The event; if a turn starts again, for example after a server restart, its earlier text is void."""
        event: NewsEvent = news.event
        if isinstance(event, AcceptedNews) and news.operation_id in self._telling:
            return replace(news, event=ResetNews("", voids_rolls=True))
        if isinstance(event, DeltaNews | ResetNews | DiceNews):
            self._telling.add(news.operation_id)
        elif news.ends_turn:
            self._telling.discard(news.operation_id)
        return news


class RemoteWatch:
    """One watcher: an async iterator of News. Waiting for the next may be cancelled."""

    def __init__(self, reader: NewsReader, task: "asyncio.Task[None]") -> None:
        self._reader = reader
        self._task = task
        self._ended = False
        # A watcher that is no longer referenced must not leave its connection open.
        weakref.finalize(self, _cancel, task)

    def __aiter__(self) -> "RemoteWatch":
        return self

    async def __anext__(self) -> News:
        if self._ended:
            raise StopAsyncIteration
        news = await self._reader.ready.get()
        if isinstance(news, News):
            return news
        self._ended = True
        if news is None:
            raise StopAsyncIteration
        raise news

    def close(self) -> None:
        """End it after the events received so far."""
        self._task.cancel()
        ready = self._reader.ready
        if ready.full():
            # Nobody reads it.
            ready.get_nowait()
        ready.put_nowait(None)


class WatchedNews:
    """The watchers of one session."""

    def __init__(self, requests: CampaignRequests) -> None:
        self._requests = requests
        self._watches: weakref.WeakSet[RemoteWatch] = weakref.WeakSet()
        self._readers: weakref.WeakSet[NewsReader] = weakref.WeakSet()
        self._closed = False

    def watch(self, after: int = -1) -> RemoteWatch:
        """Watch from now on; with a number, first what was committed since."""
        reader = NewsReader(self._requests, after)
        watch = RemoteWatch(reader, asyncio.create_task(reader.run()))
        self._watches.add(watch)
        self._readers.add(reader)
        if self._closed:
            watch.close()
        return watch

    @property
    def newest_number(self) -> int:
        """The number of the newest event that a watcher has; -1 if there is none."""
        return max((reader.number for reader in self._readers), default=-1)

    async def settle(self) -> None:
        """Wait until every watcher is connected, so that it gets what happens next."""
        waiting = [reader for reader in self._readers if not reader.connected.is_set()]
        if not waiting:
            return
        try:
            async with asyncio.timeout(CONNECT_WAIT_SECONDS):
                for reader in waiting:
                    await reader.connected.wait()
        except TimeoutError:
            # The server may be down; the input itself finds that out.
            return

    def close(self) -> None:
        """End all of them after the events received so far."""
        self._closed = True
        for watch in tuple(self._watches):
            watch.close()


def _read_number(last_id: str) -> int:
    if not last_id.isascii() or not last_id.isdecimal():
        raise WireError("an event of the server has no number")
    return int(last_id)


def _cancel(task: "asyncio.Task[None]") -> None:
    if not task.get_loop().is_closed():
        task.cancel()
