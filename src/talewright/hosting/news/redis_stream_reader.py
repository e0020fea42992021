"""The Redis stream reader: the events of all campaigns of a host, with one Redis Stream per campaign.

One connection per process reads all streams that have listeners. While Redis is down, listeners check the
record now and then, and signals of this process reach only this process.
"""

import asyncio
import logging
import secrets
from contextlib import suppress
from time import monotonic
from typing import Any, TypeAlias, cast
from weakref import WeakValueDictionary

from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import RedisError

from talewright.common.frozen_values import frozen
from talewright.hosting.news.campaign_listeners import StreamChannel
from talewright.hosting.news.event_numbers import number_entry
from talewright.hosting.news.redis_stream_writer import RedisStreamWriter
from talewright.hosting.news.signal_codec import read_signal
from talewright.hosting.operations.supervised_tasks import HostTask
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver
from talewright.hosting.turn_jobs import name_place
from talewright.play.campaign_news import NumberedSignal

BLOCK_SECONDS = 2.0
"""How long one read waits."""

PAUSE_SECONDS = 0.05
"""How long a process collects entries before it reads again."""

RETRY_SECONDS = 0.5
LOST_SECONDS = 2.0
"""How often listeners check the record while Redis is down, and how often to check whether Redis lost its
data.
"""

EPOCH_KEY = "tw:epoch"
"""A random value. If it is gone, Redis has lost its data, perhaps including unread events."""

CANCEL_SECONDS = 0.2
"""How long a cancelled task may take: a Redis client that is connecting may swallow the cancellation."""

CONNECTIONS_MAX = 8
CONNECT_SECONDS = 1.0
ANSWER_SECONDS = 2.0
Entries: TypeAlias = list[tuple[str, dict[str, str]]]
"""Entries of a stream: id and fields."""

_TROUBLES = (RedisError, OSError, TimeoutError)
_LOG = logging.getLogger(__name__)


class RedisNews:
    """The events of one process."""

    def __init__(self, url: str) -> None:
        self._channels: WeakValueDictionary[str, StreamChannel] = WeakValueDictionary()
        self._reads = connect_redis(url, 1, BLOCK_SECONDS + ANSWER_SECONDS)
        self._redis = connect_redis(url, CONNECTIONS_MAX)
        self._writer = RedisStreamWriter(self._redis, self._report_writer)
        self._wake_key = f"tw:wake:{secrets.token_hex(8)}"
        self._wake_position = "0-0"
        self._joined = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._told_lost = float("-inf")
        self._epoch = ""
        self._looked = float("-inf")
        self.observer: TurnObserver = SILENT
        """Is notified when Redis is lost and when a task fails, for metrics and readiness."""

    def for_owner(self, owner: str) -> "OwnerNews":
        """The news of an owner's campaigns."""
        return OwnerNews(self, owner)

    def channel(self, place: str, sequence: int, campaign_id: str = "") -> StreamChannel:
        """The channel of a campaign: the same object for everyone who has it open."""
        channel = self._channels.get(place)
        if channel is None or channel.campaign_id != campaign_id:
            # The channel of a removed campaign of that name has read further than the new stream reaches.
            channel = StreamChannel(name_stream(place), sequence, self._writer.send, campaign_id)
            self._channels[place] = channel
            channel.woken = self._wake
        channel.advance(sequence)
        return channel

    async def forget(self, place: str) -> None:
        """Forget the events of a removed campaign: a new one may get its name."""
        self._channels.pop(place, None)
        with suppress(*_TROUBLES):
            await self._redis.delete(name_stream(place), name_newest(place))

    async def close(self) -> None:
        """Send what is left, and end."""
        await self._writer.close()
        tasks = {task for task in (self._reading, *self._tasks) if task is not None}
        while tasks:
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=CANCEL_SECONDS)
        for redis in (self._reads, self._redis):
            with suppress(*_TROUBLES):
                await redis.aclose(close_connection_pool=True)

    def _report_writer(self, works: bool) -> None:
        report = self.observer.task_working if works else self.observer.task_failed
        report(HostTask.NEWS_WRITER)

    def _wake(self) -> None:
        """Let the reader notice that another campaign has a listener."""
        self._joined.set()
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_forever())
        else:
            task = asyncio.create_task(self._interrupt())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _interrupt(self) -> None:
        with suppress(*_TROUBLES):
            async with self._redis.pipeline(transaction=False) as pipeline:
                pipeline.xadd(self._wake_key, {"w": "1"}, maxlen=1, approximate=False)
                pipeline.expire(self._wake_key, 60)
                await pipeline.execute()

    async def _read_forever(self) -> None:
        was_lost = False
        while True:
            watched = [channel for channel in tuple(self._channels.values()) if channel.is_watched]
            if not watched:
                self._joined.clear()
                await self._joined.wait()
                continue
            try:
                if was_lost:
                    # Redis answers again, and may have lost everything.
                    await self._redis.ping()
                    self._lose(watched)
                    was_lost = False
                if await self._has_forgotten():
                    self._lose(watched)
                for channel in watched:
                    if not channel.is_loaded:
                        await self._load(channel)
                await self._read(watched)
                self.observer.task_working(HostTask.NEWS_READER)
            except Exception as error:
                # Catch everything: if the reader ended, nobody on this node would ever get an event again.
                if not isinstance(error, _TROUBLES):
                    _LOG.exception("the reader of the news failed")
                    self.observer.task_failed(HostTask.NEWS_READER)
                    await self._reads.connection_pool.disconnect()
                was_lost = True
                if monotonic() - self._told_lost >= LOST_SECONDS:
                    self._lose(watched)
                await asyncio.sleep(RETRY_SECONDS)

    async def _has_forgotten(self) -> bool:
        """Whether Redis has lost its data since the last check."""
        if monotonic() - self._looked < LOST_SECONDS:
            return False
        async with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.set(EPOCH_KEY, secrets.token_hex(8), nx=True)
            pipeline.get(EPOCH_KEY)
            epoch, before = str((await pipeline.execute())[1]), self._epoch
        self._looked, self._epoch = monotonic(), epoch
        return before not in ("", epoch)

    def _lose(self, watched: list[StreamChannel]) -> None:
        self._told_lost = monotonic()
        self.observer.redis_lost()
        for channel in watched:
            channel.lose()

    async def _load(self, channel: StreamChannel) -> None:
        """Read what a stream holds now; later entries are read after it."""
        entries = cast(Entries, await self._redis.xrange(channel.key))
        if entries:
            channel.position = entries[-1][0]
        channel.load(item for entry in entries for item in _read_entry(*entry))

    async def _read(self, watched: list[StreamChannel]) -> None:
        by_key = {channel.key: channel for channel in watched if channel.is_loaded}
        positions = {channel.key: channel.position for channel in by_key.values()}
        streams: dict[Any, Any] = {self._wake_key: self._wake_position, **positions}
        found = await self._reads.xread(streams, block=int(BLOCK_SECONDS * 1000))
        for key, entries in _pairs(found):
            channel = by_key.get(key)
            if channel is None:
                self._wake_position = entries[-1][0]
                continue
            channel.position = entries[-1][0]
            for entry in entries:
                for item in _read_entry(*entry):
                    channel.append(item)
        if found:
            await asyncio.sleep(PAUSE_SECONDS)


@frozen
class OwnerNews:
    """The news of one owner's campaigns; a NewsService."""

    shared: RedisNews
    owner: str

    def campaign(self, name: str, sequence: int, campaign_id: str = "") -> StreamChannel:
        """The news of a campaign."""
        return self.shared.channel(name_place(self.owner, name), sequence, campaign_id)


def name_stream(place: str) -> str:
    """The key of a campaign's stream; the braces put it in the same cluster slot as its other key."""
    return f"tw:news:{{{place}}}"


def name_newest(place: str) -> str:
    """The key of the newest commit that was published."""
    return f"tw:news:{{{place}}}:newest"


def connect_redis(url: str, connections: int, seconds: float = ANSWER_SECONDS) -> Redis:
    """A Redis client with a limited number of connections and a timeout for answers."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=ANSWER_SECONDS,
        socket_timeout=seconds,
        socket_connect_timeout=CONNECT_SECONDS,
        decode_responses=True,
    )
    return Redis(connection_pool=pool)


def _read_entry(entry: str, fields: dict[str, str]) -> list[NumberedSignal]:
    """The signal of an entry; None if another version wrote a signal that this one does not know."""
    try:
        return [NumberedSignal(number_entry(entry), read_signal(fields["s"]))]
    except (ValueError, KeyError):
        return []


def _pairs(found: object) -> list[tuple[str, Entries]]:
    """The entries of each stream, whichever protocol the connection speaks."""
    if isinstance(found, dict):
        return [(key, entries[0]) for key, entries in found.items()]
    return cast(list[tuple[str, Entries]], found or [])
