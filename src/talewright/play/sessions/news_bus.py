"""The news bus: numbers the signals of all campaigns in one process and passes them to listeners.

It reads no records and waits for no listener: a slow listener loses live signals, but never the newest
commit, and can read the missing commits from the record.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakSet, WeakValueDictionary

from talewright.common.safe_text import clean
from talewright.play.campaign_news import NumberedSignal
from talewright.play.news import LIVE, STRIDE
from talewright.turn.turn_signals import (
    DiceRolled,
    NarrationDelta,
    NarrationReset,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)

QUEUE_MAX = 512
"""Signals queued per listener; beyond that it has fallen behind."""

UNDER_WAY_MAX = 16
"""Running turns per campaign whose text is remembered; they may be on several branches."""


class ToldSoFar(NamedTuple):
    """The narration of a running turn."""

    number: int
    """The number of the signal with the last piece."""

    text: str
    branch: str
    rolls: tuple[DiceRolled, ...] = ()
    """The dice so far."""


NOTHING_TOLD = ToldSoFar(-1, "", "")


class NewsBus:
    """The events of all campaigns of one store in this process; one instance is shared by all lobbies."""

    def __init__(self) -> None:
        self._channels: WeakValueDictionary[str, NewsChannel] = WeakValueDictionary()

    def campaign(self, name: str, sequence: int, campaign_id: str = "") -> "NewsChannel":
        """The events of a campaign: the same object for everyone who has it open."""
        channel = self._channels.get(name)
        if channel is None or channel.sequence > sequence or channel.campaign_id != campaign_id:
            # If the record is behind, a new campaign has taken the name of a removed one.
            channel = self._channels[name] = NewsChannel(sequence, campaign_id)
        return channel


class NewsChannel:
    """The signals of one campaign in this process."""

    def __init__(self, sequence: int, campaign_id: str = "") -> None:
        self.campaign_id = campaign_id
        self.sequence = sequence
        """The sequence number of the newest known commit."""

        self.under_way: dict[str, ToldSoFar] = {}
        """The text of running turns so far, by operation id."""

        self._live = 0
        self._streams: WeakSet[BusStream] = WeakSet()

    def publish(self, signal: Signal) -> None:
        """Publish a signal to all listeners."""
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

    def advance(self, sequence: int) -> None:
        """Note a commit of another process. If anyone listens, polling the record publishes it."""
        if sequence > self.sequence and not self._streams:
            self.sequence, self._live = sequence, 0

    def subscribe(self, after: int = -1) -> "BusStream":
        """Listen from now on; for running turns, first to the text so far."""
        sequence, index = divmod(after, STRIDE)
        # Another process may have assigned these live numbers, such as this server before a restart. Ours
        # continue after them, and the text of a turn that continues here is sent from its beginning.
        foreign = sequence == self.sequence and index - LIVE + 1 > self._live
        if foreign:
            self._live = index - LIVE + 1
        stream = BusStream(self, -1 if foreign else after, foreign=foreign)
        self._streams.add(stream)
        return stream

    def claim(self) -> int | None:
        """A number for a live signal; None if none are left."""
        if self._live >= STRIDE - LIVE:
            return None
        self._live += 1
        return self.sequence * STRIDE + LIVE + self._live - 1

    def _follow(self, signal: Signal, number: int | None) -> None:
        """Remember the text so far, for later listeners."""
        operation_id, told = signal.operation_id, self.under_way
        before = told.get(operation_id, NOTHING_TOLD)
        at = self.sequence * STRIDE + STRIDE - 1 if number is None else number
        match signal:
            case TurnAccepted():
                told.pop(operation_id, None)
                told[operation_id] = ToldSoFar(at, "", signal.branch)
                if len(told) > UNDER_WAY_MAX:
                    # Some turn ended without a signal; most likely the oldest.
                    del told[next(iter(told))]
            case NarrationDelta(text):
                told[operation_id] = ToldSoFar(at, before.text + clean(text), signal.branch, before.rolls)
            case NarrationReset(text):
                rolls = () if signal.voids_rolls else before.rolls
                told[operation_id] = ToldSoFar(at, clean(text), signal.branch, rolls)
            case DiceRolled():
                told[operation_id] = ToldSoFar(at, before.text, signal.branch, (*before.rolls, signal))
            case TurnDegraded() | TurnFailed():
                told.pop(operation_id, None)
            case _:
                pass


class BusStream:
    """One listener's queue."""

    def __init__(self, channel: NewsChannel, after: int, *, foreign: bool = False) -> None:
        self._channel = channel
        self._foreign = foreign
        """Whether the listener got text of the running turns from another process; that text is void."""

        self._after = after
        """The number up to which the listener has everything."""

        self._queue: deque[NumberedSignal] = deque()
        self._lost = bool(channel.under_way)
        """Whether there is text that this listener has not received."""

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
        """Queue a signal for the listener."""
        if len(self._queue) >= QUEUE_MAX:
            self.lose()
        self._queue.append(item)
        self._woken.set()

    def lose(self) -> None:
        """Drop the queue, except for the newest commit and the newest end of a turn."""
        ends = [item for item in self._queue if _ends(item.signal)]
        commits = [item for item in ends if isinstance(item.signal, TurnCommitted)]
        # A failed turn is in no commit.
        kept = (*commits[-1:], *ends[-1:])
        self._queue = deque(item for item in ends if item in kept)
        self._lost, self._after = True, -1
        self._woken.set()

    def close(self) -> None:
        """Let the listener read the rest, then end."""
        self._closed = True
        self._woken.set()

    def _resume(self) -> None:
        """Send all text of the running turns so far."""
        waiting = list(self._queue)
        # Turns that started after the loss are complete in the queue.
        begun = {item.signal.operation_id: at for at, item in enumerate(waiting) if _begins(item.signal)}
        self._queue = deque(
            item
            for at, item in enumerate(waiting)
            if _ends(item.signal) or at >= begun.get(item.signal.operation_id, len(waiting))
        )
        for operation_id, told in self._channel.under_way.items():
            known = not (told.text or told.rolls or self._foreign) or told.number <= self._after
            if known or operation_id in begun:
                continue
            signals = tuple(repeat_told(told, operation_id, void=self._foreign))
            numbers = [self._channel.claim() for _ in signals]
            for number, signal in zip(numbers, signals, strict=True):
                if number is not None:
                    self._queue.append(NumberedSignal(number, signal))
            if len(signals) > 1 and numbers[-1] is not None:
                # A listener that is cut off in the middle of them has not received the text.
                self._channel.under_way[operation_id] = told._replace(number=numbers[-1])


def repeat_told(told: ToldSoFar, operation_id: str, *, void: bool) -> Iterator[Signal]:
    """What a listener needs to catch up with a running turn: its dice, then its text."""
    if told.rolls or void:
        yield NarrationReset("", voids_rolls=True, branch=told.branch, operation_id=operation_id)
        yield from told.rolls
    if told.text:
        yield NarrationReset(told.text, branch=told.branch, operation_id=operation_id)


def _begins(signal: object) -> bool:
    return isinstance(signal, TurnAccepted)


def _ends(signal: object) -> bool:
    return isinstance(signal, TurnCommitted | TurnDegraded | TurnFailed)
