"""The news bus of one process: signals of all its campaigns, numbered, for everyone who listens.

It reads no record and waits for nobody: a listener that falls behind loses live signals, never the newest
commit, and whoever sees a gap between commits finds the rest in the record.
"""

import asyncio
from collections import deque
from typing import NamedTuple
from weakref import WeakSet, WeakValueDictionary

from talewright.common.safe_text import clean
from talewright.play.campaign_news import NumberedSignal
from talewright.play.news import LIVE, STRIDE
from talewright.turn.turn_signals import (
    NarrationDelta,
    NarrationReset,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)

QUEUE_MAX = 512
"""Signals that wait for one listener; then it has fallen behind."""

UNDER_WAY_MAX = 16
"""Turns of one campaign whose text so far is remembered; they may run on several branches."""


class ToldSoFar(NamedTuple):
    """The narration of a turn under way."""

    number: int
    """Of the signal that brought the last piece."""

    text: str
    branch: str


class NewsBus:
    """The news of all campaigns of one store in this process; made once and handed to every lobby."""

    def __init__(self) -> None:
        self._channels: WeakValueDictionary[str, NewsChannel] = WeakValueDictionary()

    def campaign(self, name: str, sequence: int) -> "NewsChannel":
        """The news of a campaign: the same for all who have it open."""
        channel = self._channels.get(name)
        if channel is None or channel.sequence > sequence:
            # Where the record is behind, another campaign has got the name of one that was removed.
            channel = self._channels[name] = NewsChannel(sequence)
        return channel


class NewsChannel:
    """What is said of one campaign in this process."""

    def __init__(self, sequence: int) -> None:
        self.sequence = sequence
        """The counter of the newest commit that was heard of."""

        self.under_way: dict[str, ToldSoFar] = {}
        """What is told so far of the turns under way, by operation id."""

        self._live = 0
        self._streams: WeakSet[BusStream] = WeakSet()

    def publish(self, signal: Signal) -> None:
        """Say something to all who listen."""
        if isinstance(signal, TurnCommitted):
            if signal.commit.sequence <= self.sequence:
                return
            self.sequence, self._live = signal.commit.sequence, 0
            self.under_way.pop(signal.commit.operation_id, None)
            number: int | None = self.sequence * STRIDE
        else:
            number = self.claim()
            self._follow(signal, number)
        for stream in tuple(self._streams):
            if number is None:
                stream.lose()
            else:
                stream.put(NumberedSignal(number, signal))

    def subscribe(self, after: int = -1) -> "BusStream":
        """Listen from now on; of turns under way first to what was told so far."""
        sequence, index = divmod(after, STRIDE)
        if sequence == self.sequence:
            # Another process may have given these live numbers; ours go on behind them.
            self._live = max(self._live, index - LIVE + 1)
        stream = BusStream(self, after)
        self._streams.add(stream)
        return stream

    def claim(self) -> int | None:
        """A number for something that is only heard live; None where there is none left."""
        if self._live >= STRIDE - LIVE:
            return None
        self._live += 1
        return self.sequence * STRIDE + LIVE + self._live - 1

    def _follow(self, signal: Signal, number: int | None) -> None:
        """Remember what is told so far, for those who come later."""
        operation_id, told = signal.operation_id, self.under_way
        at = self.sequence * STRIDE + STRIDE - 1 if number is None else number
        match signal:
            case TurnAccepted():
                told.pop(operation_id, None)
                told[operation_id] = ToldSoFar(at, "", signal.branch)
                if len(told) > UNDER_WAY_MAX:
                    # Somebody went away without a word; the oldest turn is the likeliest.
                    del told[next(iter(told))]
            case NarrationDelta(text):
                before = told[operation_id].text if operation_id in told else ""
                told[operation_id] = ToldSoFar(at, before + clean(text), signal.branch)
            case NarrationReset(text):
                told[operation_id] = ToldSoFar(at, clean(text), signal.branch)
            case TurnDegraded() | TurnFailed():
                told.pop(operation_id, None)
            case _:
                pass


class BusStream:
    """One listener's queue."""

    def __init__(self, channel: NewsChannel, after: int) -> None:
        self._channel = channel
        self._after = after
        """The number up to which nothing is missing to the listener."""

        self._queue: deque[NumberedSignal] = deque()
        self._lost = bool(channel.under_way)
        """Whether text was told that this listener has not heard."""

        self._closed = False
        self._woken = asyncio.Event()

    def __aiter__(self) -> "BusStream":
        return self

    async def __anext__(self) -> NumberedSignal:
        while True:
            if self._lost:
                self._lost = False
                self._resume()
            if self._queue:
                return self._queue.popleft()
            if self._closed:
                raise StopAsyncIteration
            self._woken.clear()
            await self._woken.wait()

    def put(self, item: NumberedSignal) -> None:
        """Let a signal wait for the listener."""
        if len(self._queue) >= QUEUE_MAX:
            self.lose()
        self._queue.append(item)
        self._woken.set()

    def lose(self) -> None:
        """Give up what waits, but for the newest commit and the newest end of a turn."""
        ends = [item for item in self._queue if _ends(item.signal)]
        commits = [item for item in ends if isinstance(item.signal, TurnCommitted)]
        # That a turn came to nothing stands in no commit.
        kept = (*commits[-1:], *ends[-1:])
        self._queue = deque(item for item in ends if item in kept)
        self._lost, self._after = True, -1
        self._woken.set()

    def close(self) -> None:
        """Let the listener hear the rest and end."""
        self._closed = True
        self._woken.set()

    def _resume(self) -> None:
        """Join the turns under way with all that was told of them so far."""
        waiting = list(self._queue)
        # What began after the loss waits in the queue whole.
        begun = {item.signal.operation_id: at for at, item in enumerate(waiting) if _begins(item.signal)}
        self._queue = deque(
            item
            for at, item in enumerate(waiting)
            if _ends(item.signal) or at >= begun.get(item.signal.operation_id, len(waiting))
        )
        for operation_id, told in self._channel.under_way.items():
            if not told.text or told.number <= self._after or operation_id in begun:
                continue
            number = self._channel.claim()
            if number is not None:
                reset = NarrationReset(told.text, told.branch, operation_id)
                self._queue.append(NumberedSignal(number, reset))


def _begins(signal: Signal) -> bool:
    return isinstance(signal, TurnAccepted)


def _ends(signal: Signal) -> bool:
    return isinstance(signal, TurnCommitted | TurnDegraded | TurnFailed)
