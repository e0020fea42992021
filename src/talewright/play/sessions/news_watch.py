"""Events of a session: turns signals into News for one viewer, and reads missed commits from the record.

It writes nothing. Only the record is relied on: it has every commit, whichever process made it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from weakref import WeakSet

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, ChronicleError, DamagedError, SharedLog
from talewright.common.safe_text import clean, clean_line
from talewright.play.campaign_news import CampaignNews, CommitRecorded, NumberedSignal, SignalsLost
from talewright.play.campaign_view import RollView, Viewer
from talewright.play.news import LIVE, STRIDE, News
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.news_events import LiveSignal, tell_commit, tell_roll, tell_signal
from talewright.play.sessions.news_bus import UNDER_WAY_MAX
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

POLL_SECONDS = 0.2
"""How often the log is checked for writes of other processes, while there is a watcher."""


def sequence_before(number: int) -> int:
    """The newest sequence number up to which a watcher that has seen an event number has everything."""
    sequence, index = divmod(number, STRIDE)
    return sequence if index >= LIVE else sequence - 1


def number_after(sequence: int) -> int:
    """The number of the last event of a commit, before any live event."""
    return sequence * STRIDE + LIVE - 1


async def read_missed_commits(book: CampaignBook, after: int) -> AsyncIterator[Commit]:
    """All commits with a greater sequence number, in order, on any branch."""
    try:
        async for record in book.records(max(after, -1)):
            if isinstance(record, Commit):
                yield record
    except DamagedError:
        # What comes after the damage cannot be read; the view says so.
        return


class SessionNews:
    """The events of one session."""

    def __init__(
        self,
        shared: CampaignNews,
        book: CampaignBook,
        games: PinnedGames,
        language: str,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self.shared = shared
        self.book = book
        self.games = games
        self.language = language
        self.closed = False
        self._poll_seconds = poll_seconds
        self._log = book if isinstance(book, SharedLog) else None
        self._watches: WeakSet[NewsWatch] = WeakSet()
        self._polling: asyncio.Task[None] | None = None

    def hear(self, signal: Signal) -> None:
        """Receive a signal of a turn; a `turn_signals.SignalListener`."""
        self.shared.publish(signal)

    def watch(self, viewer: Viewer, after: int = -1) -> "NewsWatch":
        """Watch from now on; with a number, first what was committed since then."""
        watch = NewsWatch(self, viewer, after)
        self._watches.add(watch)
        if self.closed:
            watch.close()
        return watch

    def poll(self) -> None:
        """Poll for commits of other processes as long as there is a watcher."""
        if self._log is None or self.closed:
            return
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll(self._log))

    def close(self) -> None:
        """Let all watchers of this session read the rest, then end."""
        self.closed = True
        if self._polling is not None:
            self._polling.cancel()
        for watch in tuple(self._watches):
            watch.close()

    async def rest(self) -> None:
        """Wait until no task uses the book any more."""
        if self._polling is not None:
            await asyncio.wait([self._polling])

    async def _poll(self, log: SharedLog) -> None:
        known = -1
        while self._watches:
            await asyncio.sleep(self._poll_seconds)
            written = log.written()
            if written == known:
                continue
            try:
                async for commit in read_missed_commits(self.book, self.shared.sequence):
                    self.hear(TurnCommitted(commit, commit.branch, commit.operation_id))
            except ChronicleError:
                # Players get this error from their own calls; polling just tries again.
                continue
            known = written


class NewsWatch:
    """One watcher: an async iterator of News. Waiting for the next may be cancelled."""

    def __init__(self, source: SessionNews, viewer: Viewer, after: int) -> None:
        self._source = source
        self._viewer = viewer
        sequence = source.shared.sequence
        self._signals = source.shared.subscribe(after)
        self._seen = after if after >= 0 else number_after(sequence)
        """The greatest number delivered or prepared."""

        self._sequence = sequence_before(after) if after >= 0 else sequence
        """The sequence number of the newest commit up to which nothing is missing."""

        self._heard: dict[str, str] = {}
        """The text received of running turns, by operation id; for other turns it is unknown."""

        self._rolled: dict[str, list[RollView]] = {}
        """The dice shown of running turns, by operation id."""

        self._pending: NumberedSignal | None = None
        self._ready: deque[News] = deque()
        self._backlog: AsyncIterator[Commit] | None = self._read_missed() if after >= 0 else None
        self._upto: int | None = None
        """The commit at which catching up ends, because later ones arrive live; None to read all."""

    def __aiter__(self) -> "NewsWatch":
        return self

    async def __anext__(self) -> News:
        self._source.poll()
        while not self._ready:
            if self._backlog is not None:
                await self._read_on(self._backlog)
            elif self._pending is not None:
                await self._take(self._pending)
            else:
                self._pending = await anext(self._signals)
                self._find_gap(self._pending)
        return self._ready.popleft()

    def close(self) -> None:
        """Read the rest, then end."""
        self._signals.close()

    def _read_missed(self) -> AsyncIterator[Commit]:
        return read_missed_commits(self._source.book, self._sequence)

    def _find_gap(self, item: NumberedSignal) -> None:
        """Detect commits of others in between, or lost signals, and read them from the record."""
        match item.signal:
            case TurnCommitted(commit):
                missed, upto = commit.sequence > self._sequence + 1, commit.sequence
            case CommitRecorded(sequence):
                missed, upto = sequence > self._sequence, sequence
            case SignalsLost():
                self._backlog, self._upto = self._read_missed(), None
                return
            case _:
                # If several processes send signals, one may arrive before the commit that it follows.
                upto = item.number // STRIDE
                missed = upto > self._sequence
        if missed:
            self._backlog, self._upto = self._read_missed(), upto

    async def _read_on(self, backlog: AsyncIterator[Commit]) -> None:
        """Prepare the events of the next missed commit, or stop catching up."""
        try:
            commit = await anext(backlog, None)
            if commit is not None:
                await self._tell(commit)
        except asyncio.CancelledError:
            # The reading was interrupted; it restarts after what was delivered.
            self._backlog = self._read_missed()
            raise
        if commit is None or (self._upto is not None and commit.sequence >= self._upto):
            self._backlog = None

    async def _take(self, item: NumberedSignal) -> None:
        if isinstance(item.signal, TurnCommitted):
            await self._tell(item.signal.commit)
        elif isinstance(item.signal, CommitRecorded | SignalsLost):
            # Its events have been read from the record.
            pass
        elif isinstance(item.signal, DiceRolled):
            await self._tell_roll(item.number, item.signal)
        else:
            self._listen(item.number, item.signal)
        self._pending = None

    def _listen(self, number: int, signal: LiveSignal) -> None:
        operation_id = signal.operation_id
        match signal:
            case TurnAccepted():
                self._heard[operation_id] = ""
                self._rolled[operation_id] = []
                if len(self._heard) > UNDER_WAY_MAX:
                    oldest = next(iter(self._heard))
                    del self._heard[oldest]
                    self._rolled.pop(oldest, None)
            case NarrationDelta(text) if operation_id in self._heard:
                self._heard[operation_id] += clean(text)
            case NarrationReset(text):
                self._heard[operation_id] = clean(text)
                if signal.voids_rolls:
                    self._rolled[operation_id] = []
            case TurnDegraded() | TurnFailed():
                self._heard.pop(operation_id, None)
                self._rolled.pop(operation_id, None)
            case _:
                pass
        event = tell_signal(signal, self._source.language)
        self._make_ready(News(number, event, clean_line(signal.branch), clean_line(operation_id)))

    async def _tell_roll(self, number: int, signal: DiceRolled) -> None:
        """Report dice as they are rolled; if the game is not stored yet, the commit reports them."""
        source, rolled = self._source, self._rolled.get(signal.operation_id)
        edition = await source.games.find(signal.game_digest)
        if rolled is None or edition is None:
            return
        event = tell_roll(signal, edition, self._viewer, source.language)
        if event is not None:
            rolled.append(event.roll)
            self._make_ready(News(number, event, clean_line(signal.branch), clean_line(signal.operation_id)))

    async def _tell(self, commit: Commit) -> None:
        if commit.sequence <= self._sequence:
            return
        source = self._source
        edition = await source.games.of(commit)
        self._sequence = commit.sequence
        heard = self._heard.pop(commit.operation_id, None)
        rolled = self._rolled.pop(commit.operation_id, ())
        for news in tell_commit(commit, edition, self._viewer, source.language, heard, rolled):
            self._make_ready(news)

    def _make_ready(self, news: News) -> None:
        if news.number > self._seen:
            self._seen = news.number
            self._ready.append(news)
