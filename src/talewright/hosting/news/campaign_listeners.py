"""Listeners of one campaign on one node, and the signals of running turns that they get.

It is filled from a Redis stream. Late listeners get the same signals with the same numbers.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from time import monotonic, time
from weakref import WeakSet

from talewright.hosting.news.event_numbers import number_live, recent_index
from talewright.play.campaign_news import CommitRecorded, NumberedSignal, SignalsLost
from talewright.play.news import STRIDE
from talewright.turn.turn_signals import (
    BackgroundDone,
    BackgroundFailed,
    DiceRolled,
    NarrationDelta,
    NarrationReset,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)

ENTRIES_MAX = 4_096
"""How many signals are kept for late listeners."""

LINGER_SECONDS = 10.0
"""How long a stream is still read after its last listener leaves. Clients without an event stream subscribe
again for every turn.
"""

COMMITTED_KEPT_MAX = 16
"""How many recent commits are remembered, to recognise their late signals."""


class StreamChannel:
    """The signals of one campaign; a CampaignNews."""

    def __init__(
        self,
        key: str,
        sequence: int,
        send: "Callable[[StreamChannel, Signal, int], None]",
        campaign_id: str = "",
    ) -> None:
        self.key = key
        """The name of its stream."""

        self.campaign_id = campaign_id

        self.sequence = sequence
        """The sequence number of the newest known commit."""

        self.position = "0-0"
        """The entry up to which the stream has been read."""

        self.is_loaded = False
        """Whether the initial content of the stream has been read."""

        self.streams: WeakSet[ChannelStream] = WeakSet()
        self.woken: Callable[[], None] = lambda: None
        self._entries: deque[NumberedSignal] = deque(maxlen=ENTRIES_MAX)
        self._told: dict[str, bool] = {}
        """Whether any text or dice of each running turn were sent, by operation id."""

        self._committed: deque[str] = deque(maxlen=COMMITTED_KEPT_MAX)
        """The operations of the newest commits."""

        self._left = float("-inf")
        """When the last listener left."""

        self._send = send

    @property
    def is_watched(self) -> bool:
        """Whether its stream is to be read."""
        return bool(self.streams) or monotonic() - self._left < LINGER_SECONDS

    def leave(self, stream: "ChannelStream") -> None:
        """Remove a listener."""
        self.streams.discard(stream)
        self._left = monotonic()

    def publish(self, signal: Signal) -> None:
        """Send a signal to the listeners of all nodes."""
        if isinstance(signal, TurnCommitted):
            sequence = signal.commit.sequence
            self.advance(sequence)
            # Listeners in this process need not wait for Redis: the commit is in the record.
            recorded = CommitRecorded(sequence, signal.branch, signal.operation_id)
            self.append(NumberedSignal(sequence * STRIDE, recorded))
            self._send(self, signal, sequence)
        else:
            self._send(self, signal, self.sequence)

    def advance(self, sequence: int) -> None:
        """Note the sequence number of a commit."""
        self.sequence = max(self.sequence, sequence)

    def subscribe(self, after: int = -1) -> "ChannelStream":
        """Listen from now on; for running turns, first to the signals after a number."""
        stream = ChannelStream(self, after)
        if not self.is_watched:
            # The reader has stopped reading this stream.
            self.woken()
        self.streams.add(stream)
        if self.is_loaded:
            stream.fill(self._entries, self._told, late=False)
        return stream

    def load(self, entries: Iterable[NumberedSignal]) -> None:
        """Take what the stream held when the first listener came."""
        for item in entries:
            self._keep(item)
        self.is_loaded = True
        for stream in tuple(self.streams):
            stream.fill(self._entries, self._told, late=True)

    def append(self, item: NumberedSignal) -> None:
        """Take the next entry of the stream."""
        kept = self._keep(item)
        if kept is not None:
            for stream in tuple(self.streams):
                stream.put(kept)

    def lose(self) -> None:
        """Make all listeners check the record."""
        for stream in tuple(self.streams):
            stream.put(NumberedSignal(self.sequence * STRIDE, SignalsLost()))

    def _keep(self, item: NumberedSignal) -> NumberedSignal | None:
        """Keep a signal for later listeners; None if it says nothing new."""
        signal, operation_id = item.signal, item.signal.operation_id
        if operation_id in self._committed and not isinstance(signal, BackgroundDone | BackgroundFailed):
            # The record was read before the signal arrived.
            return None
        match signal:
            case TurnAccepted() if operation_id in self._told:
                # The node announced this before the worker did. After a crash, the text so far is void.
                if not self._told[operation_id]:
                    return None
                void = NarrationReset("", voids_rolls=True, branch=signal.branch, operation_id=operation_id)
                item = NumberedSignal(item.number, void)
            case TurnAccepted():
                self._told[operation_id] = False
            case NarrationDelta() | NarrationReset() | DiceRolled():
                self._told[operation_id] = True
            case TurnDegraded() | TurnFailed() | CommitRecorded():
                self._told.pop(operation_id, None)
            case _:
                pass
        if isinstance(signal, CommitRecorded):
            self.advance(signal.sequence)
            self._committed.append(operation_id)
            # The commit contains everything about its turn.
            kept = (one for one in self._entries if one.signal.operation_id in self._told)
            self._entries = deque(kept, maxlen=ENTRIES_MAX)
        self._entries.append(item)
        return item


class ChannelStream:
    """One listener; a SignalStream."""

    def __init__(self, channel: StreamChannel, after: int) -> None:
        self._channel = channel
        self._after = after
        self._sequence = channel.sequence
        self._since = number_live(channel.sequence, recent_index(time()))
        """The first number that is new to a listener without a number."""

        self._queue: deque[NumberedSignal] = deque()
        self._filled = False
        self._closed = False
        self._woken = asyncio.Event()

    def __aiter__(self) -> "ChannelStream":
        return self

    async def __anext__(self) -> NumberedSignal:
        while not self._queue:
            if self._closed:
                raise StopAsyncIteration
            self._woken.clear()
            await self._woken.wait()
        return self._queue.popleft()

    def fill(self, entries: Iterable[NumberedSignal], running: dict[str, bool], *, late: bool) -> None:
        """Queue the signals of running turns that the listener has not received.

        If the stream is read `late`, turns may have ended since the listener subscribed.
        """
        if self._filled:
            return
        self._filled = True
        for item in entries:
            if self._after >= 0:
                is_new = item.number > self._after
            else:
                is_new = item.signal.operation_id in running or (late and self._is_recent(item))
            if is_new:
                self._queue.append(item)
        self._woken.set()

    def _is_recent(self, item: NumberedSignal) -> bool:
        """Whether a signal may have been sent after a listener without a number subscribed."""
        if isinstance(item.signal, CommitRecorded):
            # The channel may have learned of the commit from the record, before listeners were notified.
            return item.signal.sequence >= self._sequence
        return item.number >= self._since

    def put(self, item: NumberedSignal) -> None:
        """Queue a signal."""
        if not self._filled and not isinstance(item.signal, SignalsLost):
            # It is among the signals that the channel is filled with.
            return
        if len(self._queue) >= ENTRIES_MAX:
            # The listener has fallen behind; the commits are in the record.
            self._queue.clear()
            item = NumberedSignal(item.number, SignalsLost())
        self._queue.append(item)
        self._woken.set()

    def close(self) -> None:
        """Let the listener read the rest, then end."""
        self._closed = True
        self._channel.leave(self)
        self._woken.set()
