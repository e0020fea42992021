"""Turns of a session: takes, retries and stops them one at a time, and tracks the player's branch.

It moves branches and takes turns, also those that open a phase of the game; `turn_execution` runs them, and
`presentation` makes what is shown of them.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import assert_never

from talewright.chronicle.records import Accepted, Commit, PointerKind, Pointing
from talewright.chronicle.store import CampaignStatus, DamagedError
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.kernel.judging.move_resolution import current_phases
from talewright.kernel.judging.working_state import WorkingState
from talewright.play.campaign_view import TurnView
from talewright.play.history.recent_turn_cache import NumberMoves, RecentTurnCache
from talewright.play.history.tree_outline import TreeOutline
from talewright.play.input_results import TurnRunningError
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.view_assembly import find_waiting
from talewright.play.presentation.words.player_messages import explain
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.held_inputs import HeldInput, find_held, find_unfinished
from talewright.play.sessions.news_watch import SessionNews
from talewright.play.sessions.session_background import SessionBackground
from talewright.play.sessions.turn_execution import TurnExecution
from talewright.turn.inputs.player_inputs import GoOn, Input, Opening, Say, from_json
from talewright.turn.steps.recalling import recall_at
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent
from talewright.turn.turn_signals import name_turn

OPENS = ".opens"
"""The suffix of an operation id for the turn that opens the next phase."""


@frozen
class IntendedInput:
    """An input and the commit it was meant for."""

    given: Input
    base: str


@frozen
class RefusedInput:
    """The last input that was refused because a game master has a turn open."""

    operation_id: str = ""
    open_turn: str = ""
    """The operation of the open turn."""


class SessionTurns:
    """One player's seat in a campaign."""

    def __init__(
        self, road: Road, games: PinnedGames, broadcast: SessionNews, branch: str, execution: TurnExecution
    ) -> None:
        self.road = road
        self.games = games
        self.broadcast = broadcast
        self.branch = branch
        self.afterwards = SessionBackground(road, execution.background_work)
        self.ended = ""
        """The operation of the last turn, if an event reported its end; otherwise empty."""

        self.lock = asyncio.Lock()
        """Held while taking a turn or moving a branch."""

        self.outline = TreeOutline()
        """Which turn follows which, on all branches."""

        self.shown: RecentTurnCache[TurnView] = RecentTurnCache()
        self.moves: RecentTurnCache[NumberMoves] = RecentTurnCache()
        """What the latest turns show, and which numbers they moved."""

        self.closing = False
        self.execution = execution
        self._refused = RefusedInput()

    @property
    def language(self) -> str:
        """The player's language."""
        return self.road.language

    async def head(self) -> str:
        """The id of the commit the branch points at."""
        return (await self.road.book.look(self.branch)).head

    async def find_held(self) -> HeldInput | None:
        """The last input, if it did not lead to a turn and the player may still decide about it."""
        return await find_held(self.road.book, await self.road.book.look(self.branch))

    async def take(self, given: Input, stamp: Stamp | None) -> InputResult:
        """Take a turn; other callers wait while one is running."""
        stamp = stamp or Stamp(self.road.new_id())
        async with _hold(self.lock, stamp):
            return await take_here(self, given, stamp)

    async def alone(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something while no turn is running."""
        async with self.lock:
            _check_writable(await self.road.book.look(), self.language)
            await self.afterwards.ahead.stop()
            await work()

    async def go_on(self, stamp: Stamp | None) -> InputResult:
        """Continue with the waiting input; if there is none, take another turn, or the first."""
        async with _hold(self.lock, stamp):
            return await take_waiting(self, stamp)

    async def take_again(self, text: str, stamp: Stamp) -> InputResult | None:
        """Take the last turn again from where it started; None if there is nothing to retry.

        If that does not lead to a turn, the branch stays at the old one.
        """
        async with _hold(self.lock, stamp):
            book = self.road.book
            status = await book.look(self.branch)
            head = await book.read(status.head)
            trail = await book.find(stamp.operation_id)
            if trail.commit is not None:
                return await self.finish(Committed(trail.commit, repeated=True))
            again = _find_again(await find_held(book, status), head, text, trail.accepted)
            return None if again is None else await self._take_from(again, stamp, head)

    async def take_from(self, meant: IntendedInput, stamp: Stamp | None) -> InputResult:
        """Take a turn from the commit it was meant for: here, or again from where the last one started."""
        async with _hold(self.lock, stamp):
            head = await self.road.book.read(await self.head())
            return await self._take_from(meant, stamp or Stamp(self.road.new_id()), head)

    async def point(self, commit: str, expected: str | None, branch: str = "") -> None:
        """Point a branch at a commit; by default this branch."""
        name = branch or self.branch
        pointing = Pointing(PointerKind.BRANCH, name, commit, self.road.now())
        await self.road.book.point(pointing, expected)

    async def stop(self, *, leaving: bool = False) -> None:
        """Stop the running turn; its input keeps waiting only if the session is closed."""
        await self.afterwards.ahead.stop()
        await self.execution.stop(self.branch, leaving=leaving)

    async def close(self) -> None:
        """Close: stop the running turn and finish the background work."""
        self.closing = True
        await self.stop(leaving=True)
        async with self.lock:
            try:
                await self.afterwards.ahead.stop()
                await self.afterwards.rest()
            finally:
                self.broadcast.close()
                await self.broadcast.rest()
                await self.road.book.close()

    async def _take_from(self, meant: IntendedInput, stamp: Stamp, head: Commit) -> InputResult:
        if stamp.base and stamp.base != head.id:
            return await self.finish(Failed(OutcomeReason.MOVED, head=head.id))
        replaces = head.id if meant.base == head.parent else ""
        return await self.finish(await self.run(meant.given, Stamp(stamp.operation_id, meant.base), replaces))

    async def run(self, given: Input, stamp: Stamp, replaces: str = "") -> Outcome:
        """Run one turn, unless the campaign is read-only or the session is closing."""
        self.ended = ""
        # Reading ahead has to stop; the server keeps what it has read so far.
        await self.afterwards.ahead.stop()
        if (await self.road.book.look()).damage is not None:
            return Failed(OutcomeReason.READ_ONLY)
        if self.closing:
            return Failed(OutcomeReason.CANCELLED)
        self._refused = await _end_confirmed(self.road, self.branch, self._refused, stamp.operation_id)
        end = await self.execution.run(self.branch, given, stamp, replaces)
        self.ended = stamp.operation_id if end.is_announced else ""
        if isinstance(end.outcome, Unspent) and end.outcome.reason is OutcomeReason.TURN_OPEN:
            lease = await self.road.book.open_turn(self.branch)
            self._refused = RefusedInput(stamp.operation_id, "" if lease is None else lease.operation_id)
        return end.outcome

    async def finish(self, outcome: Outcome) -> InputResult:
        """The result of an input in words; if it led into a phase that opens, the result of the opening."""
        if isinstance(outcome, Committed) and outcome.commit.replaces and not outcome.repeated:
            self.afterwards.go_back(self.branch, await self.road.book.read(outcome.commit.parent))
        _follow(self, outcome)
        opening = await find_opening(self.road, self.branch, outcome)
        if opening is not None:
            outcome = await self.run(GoOn(), opening)
            _follow(self, outcome)
        ended, self.ended = self.ended, ""
        return replace(word_outcome(outcome, self.language), operation_id=ended)


async def _end_confirmed(road: Road, branch: str, refused: RefusedInput, operation_id: str) -> RefusedInput:
    """End a game master's open turn if the player was told of it, and sends another input all the same.

    The same operation again is no confirmation: programs send it by themselves. Returns what is still
    refused.
    """
    if not refused.open_turn or refused.operation_id == operation_id:
        return refused
    # Few sessions need it, and every terminal would load it before its first paint.
    from talewright.turn.game_master.master_turn import end_open_turn, find_open_turn

    standing = await find_open_turn(road, branch)
    if standing is not None and standing.handle.operation_id == refused.open_turn:
        listener = name_turn(road.listener, standing.handle.branch, refused.open_turn)
        await end_open_turn(replace(road, listener=listener), standing)
    return RefusedInput()


@asynccontextmanager
async def _hold(lock: asyncio.Lock, stamp: Stamp | None) -> AsyncIterator[None]:
    """Hold the lock of a session; raises TurnRunningError if another turn runs longer than a stamp allows."""
    try:
        async with asyncio.timeout(None if stamp is None else stamp.patience_seconds):
            await lock.acquire()
    except TimeoutError:
        raise TurnRunningError from None
    try:
        yield
    finally:
        lock.release()


async def take_here(seat: SessionTurns, given: Input, stamp: Stamp) -> InputResult:
    """Take a turn at the head of the branch; the caller holds the lock."""
    return await seat.finish(await seat.run(given, stamp))


async def take_waiting(seat: SessionTurns, stamp: Stamp | None) -> InputResult:
    """Take the turn of the waiting input, or another one, or the first; the caller holds the lock."""
    outlook = await seat.road.book.look(seat.branch)
    head = await seat.road.book.read(outlook.head)
    waiting = await find_unfinished(seat.road.book, outlook)
    if waiting is not None:
        given = from_json(waiting.input)
        stamp = Stamp(waiting.operation_id, waiting.base)
    else:
        given = GoOn() if head.parent else Opening()
        stamp = stamp or Stamp(seat.road.new_id())
    return await seat.finish(await seat.run(given, stamp))


def _follow(seat: SessionTurns, outcome: Outcome) -> None:
    """Start the background work after a turn."""
    if isinstance(outcome, Committed) and not outcome.repeated:
        seat.afterwards.follow(outcome.commit)


def word_outcome(outcome: Outcome, language: str) -> InputResult:
    """The result of an input, in words."""
    match outcome:
        case Committed(commit, repeated):
            return InputResult(ResultKind.COMMITTED, commit=commit.id, repeated=repeated)
        case Unspent(reason, detail):
            return InputResult(ResultKind.UNSPENT, reason.value, explain(language, reason, detail))
        case Degraded(reason, detail, trouble):
            return InputResult(ResultKind.DEGRADED, reason.value, explain(language, reason, detail, trouble))
        case Failed(reason, detail):
            return InputResult(ResultKind.FAILED, reason.value, explain(language, reason, detail))
        case _:
            assert_never(outcome)


def _check_writable(outlook: CampaignStatus, language: str) -> None:
    """Raise an error if the campaign is read-only."""
    if outlook.damage is not None:
        raise DamagedError(
            explain(language, OutcomeReason.READ_ONLY),
            "Run `talewright saves recover` to restore what can be restored.",
        )


def _find_again(
    held: HeldInput | None, head: Commit, text: str, accepted: Accepted | None
) -> IntendedInput | None:
    """What to retry, and from where."""
    if accepted is not None:
        # It was requested before, and has not led to a turn yet.
        return IntendedInput(from_json(accepted.input), accepted.base)
    if held is not None and held.untold:
        return IntendedInput(Say(text) if text else held.given, held.accepted.base)
    given = from_json(head.body.get("input")) if head.parent else None
    if text:
        given = None if given is None or isinstance(given, Opening) else Say(text)
    return None if given is None else IntendedInput(given, head.parent)


async def find_opening(road: Road, branch: str, outcome: Outcome) -> Stamp | None:
    """The stamp of the turn that opens a phase; None if none is due.

    For a repeated turn, the earlier opening is found again.
    """
    if not isinstance(outcome, Committed) or road.teller is None:
        return None
    commit = outcome.commit
    if commit.operation_id.endswith(OPENS):
        # An opening does not lead to another opening, whatever the system says.
        return None
    stamp = Stamp(commit.operation_id + OPENS, commit.id)
    try:
        if outcome.repeated and (await road.book.find(stamp.operation_id)).commit is not None:
            return stamp
        return stamp if await _is_opening_due(road, branch, commit, stamp) else None
    except TalewrightError:
        # The turn is safe; the next session opens the phase.
        return None


async def _is_opening_due(road: Road, branch: str, commit: Commit, stamp: Stamp) -> bool:
    opened = road.opened.by_digest.get(commit.game_digest)
    if opened is not None and not opened.game.systems:
        return False
    outlook = await road.book.look(branch)
    waiting = find_waiting(outlook, branch, commit.id)
    # Input that the player has already given there comes first.
    free = waiting is None or waiting.operation_id == stamp.operation_id
    if outlook.head != commit.id or not free:
        return False
    recalled = await recall_at(road, commit.id)
    phases = current_phases(WorkingState(recalled.edition.game, recalled.position))
    settled = not recalled.body.decisions and recalled.body.end is None
    return settled and any(phase.opens for phase in phases)
