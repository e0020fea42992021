"""The TurnExecution port: how a session's turns are run, in this process or by workers that take queued ones.

`InProcessTurns` runs them here; `hosting.queued_turns` queues them.
"""

import asyncio
from dataclasses import replace
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.play.session import Stamp
from talewright.turn.background.background_troubles import BackgroundWork
from talewright.turn.inputs.player_inputs import Input
from talewright.turn.pipeline import STOPPED, take_turn
from talewright.turn.turn_context import ModelSkip, Road
from talewright.turn.turn_outcomes import Committed, Failed, Outcome, OutcomeReason
from talewright.turn.turn_signals import (
    Signal,
    SignalListener,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
    name_turn,
)


@frozen
class TurnEnd:
    """How a turn ended."""

    outcome: Outcome
    is_announced: bool = False
    """Whether an event reported the end."""


class TurnExecution(Protocol):
    """Runs the turns of one session, one at a time."""

    @property
    def background_work(self) -> frozenset[BackgroundWork]:
        """The kinds of work that the session does after a turn; the others are done where the turn ran."""

    async def run(self, branch: str, given: Input, stamp: Stamp, replaces: str = "") -> TurnEnd:
        """Run one turn and wait for its end."""

    async def stop(self, branch: str, *, leaving: bool = False) -> None:
        """Stop the turn running on a branch; with `leaving`, because the session is closed."""

    async def skip(self, branch: str) -> None:
        """Continue the turn running on a branch without the model."""


class TurnListener:
    """Hears one turn: adds its ids to each signal, and notes whether one of them reported its end."""

    def __init__(self, listener: SignalListener, branch: str, operation_id: str) -> None:
        self.has_ended = False
        self._listener = listener
        self.hear = name_turn(self._hear, branch, operation_id)

    def _hear(self, signal: Signal) -> None:
        if isinstance(signal, TurnCommitted | TurnDegraded | TurnFailed):
            self.has_ended = True
        self._listener(signal)


class InProcessTurns:
    """Runs turns in this process."""

    background_work = frozenset(BackgroundWork)
    """All of it."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._skip = ModelSkip()
        """The player's wish to continue the current turn without the model."""

        self._running: asyncio.Task[Outcome] | None = None
        self._stopping = False

    async def run(self, branch: str, given: Input, stamp: Stamp, replaces: str = "") -> TurnEnd:
        """Run one turn in its own task, so that it can be stopped."""
        self._skip = ModelSkip()
        heard = TurnListener(self._road.listener, branch, stamp.operation_id)
        road = replace(self._road, listener=heard.hear, skip=self._skip)
        turn = take_turn(road, branch, given, stamp.operation_id, stamp.base, replaces)
        self._stopping = False
        self._running = asyncio.create_task(turn)
        try:
            return TurnEnd(await self._running, heard.has_ended)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
        finally:
            self._running = None
        return TurnEnd(await _find_stopped(road, stamp.operation_id), heard.has_ended)

    async def stop(self, branch: str, *, leaving: bool = False) -> None:
        """Stop the running turn; its input keeps waiting only if the session is closed."""
        if self._running is None:
            return
        self._stopping = True
        self._running.cancel(None if leaving else STOPPED)
        await asyncio.wait([self._running])

    async def skip(self, branch: str) -> None:
        """Continue the running turn without the model."""
        self._skip.wish()


async def _find_stopped(road: Road, operation_id: str) -> Outcome:
    """The result of a stopped turn: it may have been committed already."""
    commit = (await road.book.find(operation_id)).commit
    if commit is not None:
        road.listener(TurnCommitted(commit))
        return Committed(commit)
    road.listener(TurnFailed(OutcomeReason.CANCELLED.value))
    return Failed(OutcomeReason.CANCELLED)
