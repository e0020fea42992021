"""The Redis stream writer: collects the signals of a process and writes them to their streams in batches.

It never makes a turn wait. If Redis does not accept a signal, listeners in this process still get it, and the
stream later restarts with all text of the turn so far. Commits are resent until Redis accepts them: a node
that missed only this message would wait for it forever.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from time import monotonic, time
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError

from talewright.hosting.news.campaign_listeners import StreamChannel
from talewright.hosting.news.event_numbers import clock_index, number_live
from talewright.hosting.news.redis_stream_retention import ENTRIES_MAX, KEEP_SECONDS, PUBLISH
from talewright.hosting.news.signal_codec import write_signal
from talewright.play.campaign_news import NumberedSignal
from talewright.play.sessions.news_bus import NewsChannel, repeat_told
from talewright.turn.turn_signals import NarrationDelta, Signal, TurnCommitted

COALESCE_SECONDS = 0.075
"""How long pieces of narration are collected."""

DOWN_SECONDS = 1.0
"""How long to wait before trying Redis again after it did not answer."""

BATCH_MAX = 256
UNSENT_MAX = 10_000
"""How many campaigns may have a commit waiting to be resent; the oldest are given up first."""

_TROUBLES = (RedisError, OSError, TimeoutError)
_LOG = logging.getLogger(__name__)


class QueuedSignal(NamedTuple):
    """A signal to be sent."""

    channel: StreamChannel
    signal: Signal
    sequence: int
    """The sequence number of the newest commit before it, or of the commit itself."""


class RedisStreamWriter:
    """The one writer of a process."""

    def __init__(self, redis: Redis, report: Callable[[bool], None] = lambda works: None) -> None:
        """`report` is told whether the sender works, whenever it has sent something or failed."""
        self._redis = redis
        self._report = report
        self._script = redis.register_script(PUBLISH).sha
        self._waiting: deque[QueuedSignal] = deque()
        self._told: WeakKeyDictionary[StreamChannel, NewsChannel] = WeakKeyDictionary()
        """The text of each campaign's running turns that this process has sent."""

        self._newest: WeakKeyDictionary[StreamChannel, str] = WeakKeyDictionary()
        """The id of the entry that this process sent last."""

        self._torn: set[str] = set()
        """Streams that lack some of that text."""

        self._unsent: dict[str, QueuedSignal] = {}
        """By stream, the newest commit that Redis did not accept; a listener that gets it reads the ones
        before from the record.
        """

        self._due = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None
        self._down_until = float("-inf")
        self._closing = False

    def send(self, channel: StreamChannel, signal: Signal, sequence: int) -> None:
        """Send a signal soon, with the newest commit before it; pieces of narration are joined."""
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_forever())
        last = self._waiting[-1] if self._waiting else None
        if (
            last is not None
            and last[0] is channel
            and isinstance(signal, NarrationDelta)
            and isinstance(last[1], NarrationDelta)
            and last[1].operation_id == signal.operation_id
        ):
            self._waiting[-1] = last._replace(signal=replace(signal, text=last[1].text + signal.text))
            return
        self._waiting.append(QueuedSignal(channel, signal, sequence))
        if isinstance(signal, NarrationDelta):
            asyncio.get_running_loop().call_later(COALESCE_SECONDS, self._due.set)
        else:
            self._due.set()

    async def close(self) -> None:
        """Send what is queued, then end."""
        self._closing = True
        self._due.set()
        if self._sending is not None:
            with suppress(asyncio.CancelledError):
                await self._sending

    async def _send_forever(self) -> None:
        while not self._closing or self._waiting:
            if not self._closing:
                await self._due.wait()
            self._due.clear()
            batch = self._take_unsent()
            batch += [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH_MAX))]
            if batch:
                await self._send(batch)
            if self._waiting:
                self._due.set()

    def _take_unsent(self) -> list[QueuedSignal]:
        """The commits to send again, now that Redis may answer."""
        if monotonic() < self._down_until:
            return []
        keys = list(self._unsent)[:BATCH_MAX]
        return [self._unsent.pop(key) for key in keys]

    def _keep_unsent(self, item: QueuedSignal) -> None:
        """Send a commit again later."""
        key = item.channel.key
        self._unsent[key] = max(item, self._unsent.pop(key, item), key=lambda one: one.sequence)
        if len(self._unsent) > UNSENT_MAX:
            del self._unsent[next(iter(self._unsent))]
        asyncio.get_running_loop().call_later(DOWN_SECONDS, self._due.set)

    async def _send(self, batch: list[QueuedSignal]) -> None:
        created: set[str] = set()
        rest = deque(batch)
        if monotonic() >= self._down_until:
            try:
                created = await self._write([pair for item in batch for pair in self._complete(*item)])
                rest.clear()
                self._report(True)
            except Exception as error:
                # Catch everything: if the sender ended, this process would never send anything again.
                if not isinstance(error, _TROUBLES):
                    _LOG.exception("the sender of the news failed")
                    self._report(False)
                self._down_until = monotonic() + DOWN_SECONDS
        for channel, signal, _ in batch:
            told = self._told.setdefault(channel, NewsChannel(channel.sequence))
            if channel.key in created:
                created.discard(channel.key)
                if told.under_way:
                    # The stream is new in the middle of a turn: Redis has lost what came before.
                    self._torn.add(channel.key)
            told.publish(signal)
        for item in rest:
            self._torn.add(item.channel.key)
            if isinstance(item.signal, TurnCommitted):
                # Its channel has already notified the listeners in this process.
                self._keep_unsent(item)
            else:
                index = clock_index(time())
                item.channel.append(NumberedSignal(number_live(item.sequence, index), item.signal))

    def _complete(self, channel: StreamChannel, signal: Signal, sequence: int) -> list[QueuedSignal]:
        """A signal, preceded by everything that its stream lacks."""
        told = self._told.get(channel)
        if channel.key not in self._torn or told is None:
            return [QueuedSignal(channel, signal, sequence)]
        self._torn.discard(channel.key)
        is_commit = isinstance(signal, TurnCommitted)
        missed = [
            QueuedSignal(channel, one, sequence - is_commit)
            for operation_id, so_far in told.under_way.items()
            # A commit contains everything about its own turn.
            if not is_commit or operation_id != signal.operation_id
            for one in repeat_told(so_far, operation_id, void=True)
        ]
        return [*missed, QueuedSignal(channel, signal, sequence)]

    async def _write(self, batch: list[QueuedSignal]) -> set[str]:
        """Write signals to their streams; returns the streams that were empty before."""
        results = await self._publish(batch)
        unknown = [isinstance(result, NoScriptError) for result in results]
        if any(unknown):
            # Redis is new or has lost the script; send what it refused again.
            await self._redis.script_load(PUBLISH)
            first = unknown.index(True)
            results[first:] = await self._publish(batch[first:])
        for result in results:
            if isinstance(result, Exception):
                raise result
        for (channel, _, _), (entry, _) in zip(batch, results, strict=True):
            if entry:
                self._newest[channel] = entry
        return {
            channel.key for (channel, _, _), (_, before) in zip(batch, results, strict=True) if not before
        }

    async def _publish(self, batch: list[QueuedSignal]) -> list[Any]:
        """Run the script for each signal; failures are returned as results."""
        # Leaving the context returns the connection even if the pipeline fails before it starts.
        async with self._redis.pipeline(transaction=False) as pipeline:
            for channel, signal, sequence in batch:
                is_commit = isinstance(signal, TurnCommitted)
                keys = [channel.key, f"{channel.key}:newest"]
                index = self._next_index(channel, sequence)
                arguments: list[Any] = [sequence, int(is_commit), index, write_signal(signal)]
                # Not by its Script object: that asks Redis each time whether it knows the script.
                pipeline.evalsha(self._script, len(keys), *keys, *arguments, ENTRIES_MAX, KEEP_SECONDS)
            return await pipeline.execute(raise_on_error=False)

    def _next_index(self, channel: StreamChannel, sequence: int) -> int:
        """The first index for a signal: from the clock, and greater than all indexes sent before.

        Redis may have lost those, but listeners remember them.
        """
        newest, _, index = self._newest.get(channel, "0-0").partition("-")
        sent = int(index) if int(newest) == sequence else 0
        return max(clock_index(time()), sent + 1)
