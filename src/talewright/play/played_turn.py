"""Played turns: one turn as a stream of its events, which ends when the turn does, however it ends.

Results and events arrive separately. `PlayedTurn` takes the turn, passes on the events, and stops once it has
both the result and the event that reports it. A face that reads the events elsewhere waits with
`OperationEnds`.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from typing import Any, Protocol, Self, TypeAlias

from talewright.errors import TalewrightError
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.news import EndedNews, News

ENDS_KEPT_MAX = 64
"""How many ended operations are remembered."""

END_SECONDS_MAX = 2.0
"""How long a result waits for its events: they may be lost, and then the view is shown without them."""

TurnSource: TypeAlias = str | Awaitable[InputResult] | None
"""A player's words, a call that takes a turn and has not been awaited, or an opening; None for no turn."""


class AsyncClosing(Protocol):
    """Something that `async with` closes."""

    __slots__ = ()

    async def close(self) -> None:
        """Close it; whatever is saved is safe."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class StreamedSession(AsyncClosing, Protocol):
    """A session whose turns can be streamed. A class that inherits from it gets `play` and `async with`."""

    __slots__ = ()

    async def view(self) -> View:
        """The current view."""

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with free text."""

    def watch(self, after: int = -1) -> AsyncIterator[News]:
        """Events from now on; with a number, first what was committed since then."""

    def play(self, turn: TurnSource) -> "PlayedTurn":
        """Take a turn, and stream its events until it ends: `async for news in session.play("I knock")`.

        Instead of words, it takes the call of any other method that takes a turn, such as
        `session.play(session.choose("1"))`, or `session.opening`.
        """
        return PlayedTurn(self, turn)


class PlayedTurn:
    """One turn: an async iterator of its events. After the last one, `result` is the result.

    The turn starts with the first step of the iteration. Leaving the loop early does not stop it; the
    session's `cancel` and `close` do. An error of the call is raised in the loop. Events of turns that others
    take at the same time are passed on too, under their own operation ids.
    """

    def __init__(self, session: StreamedSession, turn: TurnSource) -> None:
        self._session = session
        self._turn = turn
        self._taking: asyncio.Future[InputResult] | None = None
        self._watch: AsyncIterator[News] | None = None
        self._deadline: float | None = None
        """When it stops waiting for the events of a known result; None while there is no result."""

        self._ended: set[str] = set()
        """Operations whose end was reported."""

        self._finales: set[str] = set()
        """Operations that were reported to end the story."""

        self._ends_story: bool | None = None
        """Whether this turn ends the story; None if not known yet."""

        self._over = turn is None

    @property
    def result(self) -> InputResult:
        """The result of the turn. Raises TalewrightError as long as there is none."""
        if self._taking is None or not self._taking.done():
            raise TalewrightError("the turn has no result yet", "Read its events to the end first.")
        return self._taking.result()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        if self._over:
            raise StopAsyncIteration
        taking, watch = self._start()
        if taking is None or watch is None:
            raise StopAsyncIteration
        coming = asyncio.ensure_future(anext(watch, None))
        try:
            while not await self._is_told(taking):
                waited: set[asyncio.Future[Any]] = {coming} if taking.done() else {coming, taking}
                await asyncio.wait(waited, timeout=self._remaining(), return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    news = coming.result()
                    if news is not None:
                        return self._note(news)
                    # The session is closed: there will be no more events.
                    await asyncio.wait([taking])
                    break
            # Raises the error of the call, if there is one.
            taking.result()
        finally:
            if not coming.done():
                coming.cancel()
                with suppress(asyncio.CancelledError):
                    await coming
        self._over, self._watch = True, None
        raise StopAsyncIteration

    def _start(self) -> "tuple[asyncio.Future[InputResult] | None, AsyncIterator[News] | None]":
        if self._taking is None and self._turn is not None:
            turn = self._turn
            done = isinstance(turn, asyncio.Future) and turn.done()
            # Listen before the turn starts. The events of a finished turn have passed.
            self._watch = None if done else self._session.watch()
            self._over = done
            self._taking = asyncio.ensure_future(self._session.say(turn) if isinstance(turn, str) else turn)
        return self._taking, self._watch

    def _note(self, news: News) -> News:
        if news.ends_turn:
            self._ended.add(news.operation_id)
        elif isinstance(news.event, EndedNews):
            self._finales.add(news.operation_id)
        return news

    async def _is_told(self, taking: "asyncio.Future[InputResult]") -> bool:
        """Whether there is a result, and the events have reported it or no longer will."""
        if not taking.done():
            return False
        if taking.cancelled() or taking.exception() is not None:
            return True
        result = taking.result()
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            self._deadline = now + END_SECONDS_MAX
        # The end of a repeated operation was reported the first time.
        if not result.operation_id or result.repeated or now >= self._deadline:
            return True
        if result.operation_id not in self._ended:
            return False
        if self._ends_story is None:
            # The end of the story is reported after the end of its last turn.
            view = await self._session.view() if result.kind is ResultKind.COMMITTED else None
            self._ends_story = view is not None and view.end is not None and view.head == result.commit
        return not self._ends_story or result.operation_id in self._finales

    def _remaining(self) -> float | None:
        if self._deadline is None:
            return None
        return max(self._deadline - asyncio.get_running_loop().time(), 0.0)


class OperationEnds:
    """The operations that have ended, according to the events; it waits for no event that is not sent."""

    def __init__(self) -> None:
        self._ended: deque[str] = deque(maxlen=ENDS_KEPT_MAX)
        self._over = False
        self._woken = asyncio.Event()

    def hear(self, news: News) -> None:
        """Note the end of an operation."""
        if news.ends_turn:
            self._ended.append(news.operation_id)
            self._woken.set()

    def finish(self) -> None:
        """Stop waiting: there will be no more events."""
        self._over = True
        self._woken.set()

    async def wait_for(self, result: InputResult) -> None:
        """Wait for the event that ends a result's operation, if there is one."""
        # The end of a repeated operation was reported the first time.
        if not result.operation_id or result.repeated:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS_MAX):
                while result.operation_id not in self._ended and not self._over:
                    self._woken.clear()
                    await self._woken.wait()
