"""Queued turns: a session on a node accepts inputs and queues their turns; workers run them.

No turn is run here. A caller that waits for a turn learns of its end from the events, or else from the
record.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace

from talewright.chronicle.records import CLOSING_VERDICTS, Accepted, Commit
from talewright.chronicle.store import Acceptance, HeadMovedError, OperationTrail, StoreAwayError
from talewright.hosting.hosting_tables import HostingTables, TurnWish
from talewright.hosting.turn_jobs import TurnJob, read_outcome
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.campaign_news import CommitRecorded, SignalsLost, SignalStream
from talewright.play.session import Stamp
from talewright.play.sessions.news_watch import SessionNews
from talewright.play.sessions.operation_lookup import read_attempt
from talewright.play.sessions.turn_execution import TurnEnd, TurnListener
from talewright.turn.background.background_troubles import BackgroundWork
from talewright.turn.inputs.player_inputs import Input, to_json
from talewright.turn.steps.beginning import find_unfit
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted, TurnDegraded, TurnFailed

LOOK_SECONDS = 5.0
"""How often the record and the workflow are checked for the end of a turn whose events do not arrive. While
Redis is known to be down, they are checked whenever signals are reported lost.
"""

WISH_SECONDS_MAX = 15.0
"""How long a cancel waits for the turn to stop."""

WISH_LOOK_SECONDS = 0.1


class QueuedTurns:
    """Queues the turns of one session for workers; a TurnExecution."""

    background_work = frozenset({BackgroundWork.PANELS})
    """Views are made here; the worker that ran a turn does the rest."""

    def __init__(
        self, road: Road, broadcast: SessionNews, owner: str, queue: TurnQueue, tables: HostingTables
    ) -> None:
        self._road = road
        self._broadcast = broadcast
        self._owner = owner
        self._queue = queue
        self._tables = tables
        self._leaving = asyncio.Event()

    async def run(self, branch: str, given: Input, stamp: Stamp, replaces: str = "") -> TurnEnd:
        """Accept an input, order its turn, and wait for its end."""
        road, operation_id = self._road, stamp.operation_id
        unfit = find_unfit(road, given)
        if unfit is not None:
            return TurnEnd(unfit)
        heard = TurnListener(road.listener, branch, operation_id)
        signals = self._broadcast.shared.subscribe()
        wish = Accepted(operation_id, branch, stamp.base, to_json(given), road.now(), replaces)
        try:
            acceptance = await road.book.accept(wish)
            if acceptance.commit is not None:
                self._tell_commit(acceptance.commit)
                return TurnEnd(Committed(acceptance.commit, repeated=True))
            heard.hear(TurnAccepted(acceptance.accepted))
            order = self._make_order(acceptance)
            await self._order(order, repeated=acceptance.accepted.at != wish.at)
            return await self._wait(order, signals)
        except HeadMovedError as error:
            heard.hear(TurnFailed(OutcomeReason.MOVED.value))
            return TurnEnd(Failed(OutcomeReason.MOVED, head=error.head), heard.has_ended)
        finally:
            signals.close()

    def _make_order(self, acceptance: Acceptance) -> TurnJob:
        accepted, campaign = acceptance.accepted, self._road.book.campaign
        return TurnJob(
            self._owner,
            campaign,
            accepted.operation_id,
            accepted.base,
            acceptance.attempts,
            self._road.language,
        )

    async def _wait(self, order: TurnJob, signals: SignalStream) -> TurnEnd:
        """Wait for the end of a turn."""
        heard = asyncio.ensure_future(self._hear_end(order, signals))
        leaving = asyncio.ensure_future(self._leaving.wait())
        try:
            while True:
                await asyncio.wait(
                    {heard, leaving}, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if leaving.done():
                    # The turn continues without this node.
                    return TurnEnd(Failed(OutcomeReason.CANCELLED))
                trouble = heard.result() if heard.done() else ""
                outcome: Outcome | None = None
                # While the database is away, nobody knows; the input is saved, and its turn will end.
                with suppress(StoreAwayError):
                    outcome = await self._find_end(order, trouble)
                    if outcome is None:
                        outcome = await self._check_workflow(order)
                if heard.done():
                    heard = asyncio.ensure_future(self._hear_end(order, signals))
                if outcome is not None:
                    return TurnEnd(outcome, is_announced=True)
        finally:
            for task in (heard, leaving):
                task.cancel()

    async def _hear_end(self, order: TurnJob, signals: SignalStream) -> str:
        """Wait until the events report the end of a turn, or that signals may have been lost.

        Returns the provider's error, if that is why the turn ended.
        """
        async for item in signals:
            signal = item.signal
            if isinstance(signal, SignalsLost):
                return ""
            if signal.operation_id != order.operation_id:
                continue
            if isinstance(signal, CommitRecorded | TurnCommitted | TurnFailed):
                return ""
            if isinstance(signal, TurnDegraded):
                return signal.trouble
        await self._leaving.wait()
        return ""

    async def _find_end(self, order: TurnJob, trouble: str) -> Outcome | None:
        """The outcome of a turn, if it has ended."""
        trail: OperationTrail = await self._road.book.find(order.operation_id)
        if trail.commit is not None:
            self._tell_commit(trail.commit)
            return Committed(trail.commit)
        attempts = trail.attempts
        if len(attempts) > order.try_number and attempts[-1].verdict in CLOSING_VERDICTS:
            outcome = read_attempt(attempts[-1])
            if isinstance(outcome, Degraded) and trouble:
                return Degraded(outcome.reason, outcome.detail, trouble)
            return outcome
        return None

    async def _order(self, order: TurnJob, *, repeated: bool) -> None:
        """Order a turn. If its input was accepted before, a workflow may exist that left no record."""
        known = await self._queue.find([order.workflow]) if repeated else []
        if known and not known[0].is_open:
            await self._queue.order_again(order)
        else:
            await self._queue.order_turn(order)

    async def _check_workflow(self, order: TurnJob) -> Outcome | None:
        """The outcome of a turn that has left no record; a turn without a workflow is ordered again."""
        trail = await self._road.book.find(order.operation_id)
        if len(trail.attempts) > order.try_number:
            # Its engine is gone; the worker that settled the turn retries it under the next number.
            order = replace(order, try_number=len(trail.attempts))
        known = await self._queue.find([order.workflow])
        if not known:
            await self._queue.order_turn(order)
        if not known or known[0].is_open:
            return None
        # It may have been recorded a moment ago.
        recorded = await self._find_end(order, "")
        if recorded is not None:
            return recorded
        result = known[0].result
        return Failed(OutcomeReason.ERROR) if result is None else await read_outcome(result, self._road.book)

    def _tell_commit(self, commit: Commit) -> None:
        """Notify the watchers of a commit, in case its event was lost; they are notified only once."""
        self._broadcast.hear(TurnCommitted(commit, commit.branch, commit.operation_id))

    async def stop(self, branch: str, *, leaving: bool = False) -> None:
        """Stop the running turn, whichever node ordered it; leaving a session does not stop it."""
        if leaving:
            self._leaving.set()
            return
        await self._wish(branch, TurnWish.CANCEL)

    async def skip(self, branch: str) -> None:
        """Continue the running turn without the model, whichever node ordered it."""
        await self._wish(branch, TurnWish.SKIP)

    async def _wish(self, branch: str, wish: TurnWish) -> None:
        """Pass the player's wish about the turn running on a branch to its worker."""
        book = self._road.book
        running: list[str] = []
        for accepted in (await book.look(branch)).waiting:
            trail = await book.find(accepted.operation_id)
            order = TurnJob(
                self._owner, book.campaign, accepted.operation_id, accepted.base, len(trail.attempts)
            )
            running += [one.workflow for one in await self._queue.find([order.workflow]) if one.is_open]
        for workflow in running:
            await self._tables.wish(workflow, wish)
        if wish is TurnWish.CANCEL and running:
            with suppress(TimeoutError):
                async with asyncio.timeout(WISH_SECONDS_MAX):
                    while any(one.is_open for one in await self._queue.find(running)):
                        await asyncio.sleep(WISH_LOOK_SECONDS)
