"""The news bus: signals of a turn as numbered News for many watchers, and the backlog they missed.

It writes nothing and waits for nobody: a watcher that falls behind is caught up from the record, which is
the only memory.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from weakref import WeakSet

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.safe_text import clean
from talewright.play.campaign_view import Viewer
from talewright.play.news import LIVE, STRIDE, News, ResetNews
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.news_events import LiveSignal, tell_commit, tell_signal
from talewright.turn.turn_signals import (
    NarrationDelta,
    NarrationReset,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)

LINEAGE_MAX = 256
"""Commits that are looked for along the branches; for more of them all records are read."""


def sequence_before(number: int) -> int:
    """The newest sequence of which nothing more can be missing after a number of news."""
    sequence, index = divmod(number, STRIDE)
    return sequence if index >= LIVE else sequence - 1


async def read_missed_commits(book: CampaignBook, after: int) -> AsyncIterator[Commit]:
    """All commits with a greater sequence, in their order, on whatever branch they are."""
    outlook = await book.look()
    wanted = outlook.sequence - after
    if wanted <= 0:
        return
    if wanted <= LINEAGE_MAX:
        found: dict[int, Commit] = {}
        for head in reversed([*outlook.branches.values()]):
            line = await book.back(head, wanted)
            found |= {commit.sequence: commit for commit in line if commit.sequence > after}
            if len(found) == wanted:
                break
        if len(found) == wanted:
            for sequence in sorted(found):
                yield found[sequence]
            return
    # Some turns were undone and lie on no branch any more, or there are very many.
    try:
        async for record in book.records():
            if isinstance(record, Commit) and record.sequence > after:
                yield record
    except DamagedError:
        # What lies behind the damage cannot be told; the view says so.
        return


QUEUE_MAX = 512
"""Signals that wait for one watcher; then it has fallen behind."""


class NewsBus:
    """What is said of one campaign in one process."""

    def __init__(self, book: CampaignBook, games: PinnedGames, language: str, sequence: int) -> None:
        self.book = book
        self.games = games
        self.language = language
        self.sequence = sequence
        """The counter of the newest commit that was heard of."""

        self.narration = ""
        """What is told so far of the turn under way."""

        self._live = 0
        self._watches: WeakSet[NewsWatch] = WeakSet()
        self.closed = False

    def hear(self, signal: Signal) -> None:
        """Take a signal of the turn; a `turn.signals.Listener`."""
        match signal:
            case TurnCommitted(commit):
                self._hear_commit(commit, signal)
                return
            case NarrationDelta(text):
                self.narration += clean(text)
            case NarrationReset(text):
                self.narration = clean(text)
            case TurnAccepted() | TurnDegraded() | TurnFailed():
                self.narration = ""
            case _:
                pass
        number = self.claim()
        for watch in tuple(self._watches):
            if number is None:
                watch.lose()
            else:
                watch.put(number, signal)

    def watch(self, viewer: Viewer, after: int = -1) -> "NewsWatch":
        """Listen from now on; with a number, first to what was committed since."""
        sequence, index = divmod(after, STRIDE)
        if sequence == self.sequence:
            # Another process may have given these live numbers; ours go on behind them.
            self._live = max(self._live, index - LIVE + 1)
        watch = NewsWatch(self, viewer, after)
        self._watches.add(watch)
        return watch

    def claim(self) -> int | None:
        """A number for something that is only heard live; None where there is none left."""
        if self._live >= STRIDE - LIVE:
            return None
        self._live += 1
        return self.sequence * STRIDE + LIVE + self._live - 1

    def close(self) -> None:
        """Let every watcher hear the rest and end."""
        self.closed = True
        for watch in tuple(self._watches):
            watch.wake()

    def _hear_commit(self, commit: Commit, signal: Signal) -> None:
        if commit.sequence <= self.sequence:
            return
        gap = commit.sequence != self.sequence + 1
        self.sequence = commit.sequence
        self.narration = ""
        self._live = 0
        for watch in tuple(self._watches):
            if gap:
                # Somebody else has played in between; the record knows what.
                watch.lose()
            else:
                watch.put(commit.sequence * STRIDE, signal)


class NewsWatch:
    """One watcher's ear: an async iterator of News."""

    def __init__(self, broadcast: NewsBus, viewer: Viewer, after: int) -> None:
        self._broadcast = broadcast
        self._viewer = viewer
        self._seen = after if after >= 0 else broadcast.sequence * STRIDE + LIVE - 1
        """The greatest number that was given or made ready."""

        self._heard: str | None = None if after >= 0 and after % STRIDE >= LIVE else ""
        """What was told of the turn under way; None where that is not known."""

        self._queue: deque[tuple[int, Signal]] = deque()
        self._ready: deque[News] = deque()
        self._backlog: AsyncIterator[Commit] | None = None
        self._lost = after >= 0 or bool(broadcast.narration)
        self._woken = asyncio.Event()

    def __aiter__(self) -> "NewsWatch":
        return self

    async def __anext__(self) -> News:
        while not self._ready:
            if self._lost:
                self._lost = False
                self._backlog = read_missed_commits(self._broadcast.book, sequence_before(self._seen))
            elif self._backlog is not None:
                await self._read_on(self._backlog)
            elif self._queue:
                await self._take(self._queue[0])
            elif self._broadcast.closed:
                raise StopAsyncIteration
            else:
                self._woken.clear()
                await self._woken.wait()
        return self._ready.popleft()

    def put(self, number: int, signal: Signal) -> None:
        """Let a signal wait for the watcher."""
        if len(self._queue) >= QUEUE_MAX:
            self.lose()
        self._queue.append((number, signal))
        self._woken.set()

    def lose(self) -> None:
        """Give up what waits; what of it was committed comes again from the chronicle."""
        # That a turn came to nothing stands in no commit, so the newest such word is kept.
        ends = [item for item in self._queue if _ends(item[1])]
        last = ends[-1:] if ends and not isinstance(ends[-1][1], TurnCommitted) else []
        self._queue = deque(last)
        self._lost = True
        self._heard = None
        self._woken.set()

    def wake(self) -> None:
        """Let the watcher look around."""
        self._woken.set()

    async def _read_on(self, backlog: AsyncIterator[Commit]) -> None:
        """Make the news of the next missed commit ready, or end the catching up."""
        try:
            commit = await anext(backlog, None)
            if commit is not None:
                await self._tell(commit)
        except asyncio.CancelledError:
            # The reading is broken off; it begins again behind what was given.
            self._lost = True
            raise
        if commit is None and not self._lost:
            self._backlog = None
            self._resume()

    def _resume(self) -> None:
        """Join the turn under way, if there is one, with all that was told of it so far."""
        waiting = list(self._queue)
        ended = max((at for at, (_, signal) in enumerate(waiting) if _ends(signal)), default=-1)
        ends, later = [item for item in waiting[: ended + 1] if _ends(item[1])], waiting[ended + 1 :]
        if any(isinstance(signal, TurnAccepted) for _, signal in later):
            # The turn under way began after the loss: all of it waits in the queue.
            self._queue = deque(ends + later)
            return
        self._queue = deque(ends)
        narration = self._broadcast.narration
        number = self._broadcast.claim() if narration else None
        if number is not None:
            self._make_ready(News(number, ResetNews(narration)))
            self._heard = narration

    async def _take(self, item: tuple[int, Signal]) -> None:
        number, signal = item
        if isinstance(signal, TurnCommitted):
            await self._tell(signal.commit)
        else:
            self._listen(number, signal)
        if self._queue and self._queue[0] is item:
            self._queue.popleft()

    def _listen(self, number: int, signal: LiveSignal) -> None:
        match signal:
            case TurnAccepted():
                self._heard = ""
            case NarrationDelta(text) if self._heard is not None:
                self._heard += clean(text)
            case NarrationReset(text):
                self._heard = clean(text)
            case _:
                pass
        self._make_ready(News(number, tell_signal(signal, self._broadcast.language)))

    async def _tell(self, commit: Commit) -> None:
        broadcast = self._broadcast
        edition = await broadcast.games.of(commit)
        heard, self._heard = self._heard, ""
        for news in tell_commit(commit, edition, self._viewer, broadcast.language, heard):
            self._make_ready(news)

    def _make_ready(self, news: News) -> None:
        if news.number > self._seen:
            self._seen = news.number
            self._ready.append(news)


def _ends(signal: Signal) -> bool:
    return isinstance(signal, TurnCommitted | TurnDegraded | TurnFailed)
