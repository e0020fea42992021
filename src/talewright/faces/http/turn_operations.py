"""Turn operations: the turns this process takes, whoever is waiting for them.

A request that ends, or a client that disconnects, never stops a turn. What is kept here is a cache: the
record has every accepted input and its result.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.input_results import InputResult, OperationState, OperationView, Stamp
from talewright.play.news import News, NewsKind
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session import FollowingSession, wait_for_opening
from talewright.play.session_inputs import GoOn, PlayerInput, submit_input

PATIENCE_SECONDS = 10.0
"""How long an input waits for another turn that is running; then it is refused."""

OPENING_SECONDS_MAX = 10.0
"""How long a request waits for the start of the turn that opens a session."""

ACCEPTED_LOOK_SECONDS = 2.0
"""How often the record is read while an input waits to be saved, in case the event about it is lost."""

RESULTS_KEPT_MAX = 256
"""How many results are remembered, including the words that the record does not have."""

LOOK_SECONDS = 0.25
"""How often the record is read while a turn is taken elsewhere."""

OperationKey: TypeAlias = tuple[str, Viewer, str]
"""Campaign, role and operation id."""


@dataclass
class RunningTurn:
    """A turn that this process takes."""

    operation_id: str
    task: "asyncio.Task[InputResult]"
    accepted: asyncio.Event = field(default_factory=asyncio.Event)
    session_number: int = 0
    """The number of its session in the pool; 0 until it has one."""

    @property
    def view(self) -> OperationView | None:
        """What is known of it while it runs; None if its input is not saved yet."""
        return OperationView(self.operation_id, OperationState.RUNNING) if self.accepted.is_set() else None

    async def wait_accepted(self, seconds: float | None = None) -> None:
        """Wait until the input is saved, or the turn has ended; by default for as long as that takes."""
        waiting = asyncio.ensure_future(self.accepted.wait())
        try:
            await asyncio.wait({waiting, self.task}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    async def wait_ended(self, seconds: float) -> InputResult | None:
        """The result, if it comes in time."""
        await asyncio.wait({self.task}, timeout=seconds)
        return self.task.result() if self.task.done() else None


class TurnOperations:
    """The turns of one process."""

    def __init__(self, pool: SessionPool, new_id: Callable[[], str]) -> None:
        self._pool = pool
        self._new_id = new_id
        self._running: dict[OperationKey, RunningTurn] = {}
        self._results: OrderedDict[OperationKey, tuple[int, InputResult]] = OrderedDict()
        """With the number of the session: another one may be of another campaign with the name."""

        self._openings: dict[tuple[str, Viewer], RunningTurn] = {}

    def start(self, campaign: str, role: Viewer, given: PlayerInput, stamp: Stamp) -> RunningTurn:
        """Take a turn in a task of its own; the same operation id means the same turn."""
        stamp = Stamp(stamp.operation_id or self._new_id(), stamp.base, PATIENCE_SECONDS)
        key = (campaign, role, stamp.operation_id)
        running = self._running.get(key)
        if running is None:
            self._results.pop(key, None)
            task = asyncio.create_task(self._take(key, given, stamp))
            running = self._running[key] = RunningTurn(stamp.operation_id, task)
            task.add_done_callback(lambda _: self._forget(key))
        return running

    def follow_opening(self, campaign: str, session: FollowingSession) -> RunningTurn | None:
        """The turn that opens a session, if it is running."""
        if session.opening is None or session.opening.done():
            return None
        place = (campaign, session.role)
        known = self._openings.get(place)
        if known is None or known.task.done():
            task = asyncio.create_task(self._open(campaign, session))
            known = self._openings[place] = RunningTurn("", task)
            known.session_number = self._pool.number_of(*place)
            task.add_done_callback(lambda _: self._openings.pop(place, None))
        return known

    async def find(
        self, campaign: str, role: Viewer, operation_id: str, seconds: float = 0.0
    ) -> OperationView | None:
        """What is known about an operation; waits some seconds for its end, whichever process runs it."""
        key = (campaign, role, operation_id)
        until = asyncio.get_running_loop().time() + seconds
        while True:
            left = max(until - asyncio.get_running_loop().time(), 0.0)
            found = None
            async with self._pool.use(campaign, role) as session:
                number = self._pool.number_of(campaign, role)
                running = self._running.get(key) or self._find_opening(key)
                kept, result = self._results.get(key, (0, None))
                if running is not None and running.session_number not in (0, number):
                    running = None
                if running is None and (result is None or kept != number):
                    found = await session.find_operation(operation_id)
            if running is not None:
                result = await running.wait_ended(left)
                if result is None:
                    return running.view
                return OperationView(operation_id, OperationState.ENDED, result)
            if result is not None and kept == number:
                return OperationView(operation_id, OperationState.ENDED, result)
            if found is None or found.state is OperationState.ENDED or not left:
                return found
            await asyncio.sleep(min(LOOK_SECONDS, left))

    async def close(self) -> None:
        """Wait until no turn is running; closing the sessions stops them."""
        tasks = [running.task for running in (*self._running.values(), *self._openings.values())]
        if tasks:
            await asyncio.wait(tasks)

    def _find_opening(self, key: OperationKey) -> RunningTurn | None:
        opening = self._openings.get(key[:2])
        return opening if opening is not None and opening.operation_id == key[2] else None

    def _forget(self, key: OperationKey) -> None:
        running = self._running.pop(key)
        if running.task.cancelled() or running.task.exception() is not None:
            return
        self._results[key] = (running.session_number, running.task.result())
        if len(self._results) > RESULTS_KEPT_MAX:
            self._results.popitem(last=False)

    async def _take(self, key: OperationKey, given: PlayerInput, stamp: Stamp) -> InputResult:
        campaign, role, operation_id = key
        async with self._pool.use(campaign, role) as session:
            running = self._running[key]
            running.session_number = self._pool.number_of(campaign, role)
            # Continuing may resume a waiting input, under its own operation.
            anyone = isinstance(given, GoOn)
            # The watch begins here, before the turn starts.
            heard = _hear_accepted(session.watch(), running, operation_id, anyone=anyone)
            listening = asyncio.create_task(heard)
            looking = asyncio.create_task(_find_accepted(session, running))
            try:
                return await submit_input(session, given, stamp)
            finally:
                await _end(listening)
                await _end(looking)

    async def _open(self, campaign: str, session: FollowingSession) -> InputResult:
        running = self._openings[(campaign, session.role)]
        listening = asyncio.create_task(_hear_accepted(session.watch(), running, "", anyone=True))
        try:
            result = await wait_for_opening(session)
        finally:
            await _end(listening)
        assert result is not None
        return result


async def _hear_accepted(
    watch: AsyncIterator[News], running: RunningTurn, operation_id: str, *, anyone: bool
) -> None:
    """Note when an input is accepted."""
    async for news in watch:
        if news.kind is NewsKind.TURN_ACCEPTED and (anyone or news.operation_id == operation_id):
            running.operation_id = news.operation_id
            running.accepted.set()
            return
        if not running.operation_id and news.operation_id:
            # It has begun already.
            running.operation_id = news.operation_id
            running.accepted.set()
            return


async def _find_accepted(session: FollowingSession, running: RunningTurn) -> None:
    """Note that an input is accepted, even if no event reports it."""
    while not running.accepted.is_set():
        await asyncio.sleep(ACCEPTED_LOOK_SECONDS)
        with suppress(TalewrightError):
            if await session.find_operation(running.operation_id) is not None:
                running.accepted.set()


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
