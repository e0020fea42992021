"""The turn worker: runs turns and background work, each as a DBOS workflow.

It may die at any moment and lose its memory: another worker finds the input in the record and the step
results in DBOS, and continues.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dbos import error

from talewright.chronicle.records import Accepted, Commit
from talewright.common.json_values import Json
from talewright.hosting.durable_runner import ExecutionLostError
from talewright.hosting.hosting_tables import UNREACHABLE, HostingTables, TurnWish
from talewright.hosting.open_campaign_cache import OpenCampaign, OpenCampaignCache, WorkerParts
from talewright.hosting.operations.turn_observer import report_turn
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import (
    BackgroundJob,
    TurnJob,
    read_job,
    write_outcome,
)
from talewright.hosting.turn_queue import EngineBindings, TurnQueue
from talewright.turn.background.asides import condense, find_errands, find_summary
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork
from talewright.turn.inputs.player_inputs import from_json
from talewright.turn.pipeline import STOPPED, take_turn
from talewright.turn.steps.recalling import find_newer_engine, reach_back, recall_at
from talewright.turn.turn_context import ModelSkip, PlainRunner, Road, hear_nothing
from talewright.turn.turn_outcomes import Committed, Failed, Outcome, OutcomeReason
from talewright.turn.turn_signals import SignalListener, TurnCommitted, TurnFailed, name_turn

WISH_SECONDS = 0.2
"""How often a worker checks for wishes of players whose turns it runs."""


@dataclass(slots=True)
class WorkerTurn:
    """A turn that this worker runs."""

    task: "asyncio.Task[Outcome]"
    skip: ModelSkip
    stopping: bool = False
    """Whether the player has stopped it."""


class TurnWorker:
    """The work of one process."""

    def __init__(self, parts: WorkerParts, queue: TurnQueue, tables: HostingTables, executor: str) -> None:
        self.cache = OpenCampaignCache(parts)
        self._executor = executor
        self._bindings = EngineBindings(tables)
        self._parts = parts
        self._queue = queue
        self._tables = tables
        self._running: dict[str, WorkerTurn] = {}
        self._some_running = asyncio.Event()

    @property
    def running(self) -> tuple[str, ...]:
        """The workflows of the turns that are running here."""
        return tuple(self._running)

    async def take(self, workflow: str, argument: Mapping[str, Json]) -> Json:
        """Run a turn: the workflow of an order."""
        order, begun = read_job(TurnJob, argument), self._parts.now()
        async with self.cache.use(order.owner, order.campaign) as opened:
            trail = await opened.book.find(order.operation_id)
            if trail.accepted is None:
                # Its campaign was removed, and another one has the name.
                return write_outcome(Failed(OutcomeReason.CANCELLED))
            accepted_at = trail.accepted.at
            outcome = await self._take(workflow, order, opened, trail.accepted, trail.commit)
        if isinstance(outcome, Failed):
            await self.cache.drop(order.owner, order.campaign)
        # A player may repeat a failed turn hours later; then it counts from its new beginning.
        since = begun if order.try_number else accepted_at
        report_turn(self._parts.observer, order, outcome, since, self._parts.now())
        return write_outcome(outcome)

    async def _take(
        self, workflow: str, order: TurnJob, opened: OpenCampaign, accepted: Accepted, commit: Commit | None
    ) -> Outcome:
        """Run the turn of an input, unless it was committed before."""
        listener = name_turn(self._find_listener(opened), accepted.branch, order.operation_id)
        if commit is not None:
            outcome: Outcome = Committed(commit)
            listener(TurnCommitted(commit))
        else:
            runner = SealedSteps(workflow, self._queue.read_steps, self._parts.seal).make_runner()
            road = self.cache.make_road(opened, order.language, runner, listener)
            road = replace(road, skip=ModelSkip())
            await self._pass_on_newer(workflow, road, accepted.base)
            turn = take_turn(
                road,
                accepted.branch,
                from_json(accepted.input),
                order.operation_id,
                accepted.base,
                accepted.replaces,
            )
            outcome = await self._run(workflow, road, order, turn)
        if isinstance(outcome, Committed):
            await self._order_background(order, opened, outcome.commit)
        return outcome

    async def _run(
        self, workflow: str, road: Road, order: TurnJob, turn: Coroutine[Any, Any, Outcome]
    ) -> Outcome:
        """Run a turn in a task of its own, so that its player can stop it."""
        task = asyncio.create_task(turn)
        running = self._running[workflow] = WorkerTurn(task, road.skip)
        self._some_running.set()
        try:
            return await task
        except asyncio.CancelledError:
            if not running.stopping:
                raise
        finally:
            self._running.pop(workflow, None)
        await self._tables.drop_wishes(workflow)
        commit = (await road.book.find(order.operation_id)).commit
        if commit is not None:
            road.listener(TurnCommitted(commit))
            return Committed(commit)
        road.listener(TurnFailed(OutcomeReason.CANCELLED.value))
        return Failed(OutcomeReason.CANCELLED)

    async def _pass_on_newer(self, workflow: str, road: Road, commit: str) -> None:
        """Pass a workflow on if a later engine made the commit it continues, and a worker of it is running.

        Otherwise the workflow runs here, and is refused with the reason.
        """
        newer = await find_newer_engine(road, commit)
        if newer is None or not await self._bindings.pass_on(workflow, self._executor, newer):
            return
        raise ExecutionLostError(f"it needs engine {newer}") from error.DBOSWorkflowConflictIDError(workflow)

    async def condense(self, workflow: str, argument: Mapping[str, Json]) -> Json:
        """Do the work that follows a commit: the workflow of a background order."""
        order = read_job(BackgroundJob, argument)
        async with self.cache.use(order.owner, order.campaign) as opened:
            listener = self._find_listener(opened)
            runner = SealedSteps(workflow, self._queue.read_steps, self._parts.seal).make_runner()
            road = self.cache.make_road(opened, order.language, runner, listener)
            await self._pass_on_newer(workflow, road, order.commit)
            done = await condense(road, order.branch, order.commit)
        self._parts.observer.background_ended()
        return done

    async def _order_background(self, order: TurnJob, opened: OpenCampaign, commit: Commit) -> None:
        """Order the work that follows a turn, if there is any."""
        road = self.cache.make_road(opened, order.language, PlainRunner(), hear_nothing)
        if await _has_work(road, commit):
            await self._queue.order_background(
                BackgroundJob(order.owner, order.campaign, commit.branch, commit.id, order.language)
            )

    def _find_listener(self, opened: OpenCampaign) -> SignalListener:
        news = self._parts.news_of(opened.owner)
        return news.campaign(opened.book.campaign, opened.sequence, opened.campaign_id).publish

    async def hear_wishes_forever(self) -> None:
        """Check for wishes while turns are running."""
        while True:
            if not self._running:
                self._some_running.clear()
                await self._some_running.wait()
            await asyncio.sleep(WISH_SECONDS)
            # Without its database a worker can do nothing else either; try again.
            with suppress(*UNREACHABLE):
                for workflow, wish in await self._tables.list_wishes(tuple(self._running)):
                    self._grant(workflow, wish)

    def _grant(self, workflow: str, wish: TurnWish) -> None:
        running = self._running.get(workflow)
        if running is None:
            return
        if wish is TurnWish.SKIP:
            running.skip.wish()
        elif not running.stopping:
            running.stopping = True
            running.task.cancel(STOPPED)


async def _has_work(road: Road, commit: Commit) -> bool:
    """Whether a summary or an errand is due after a turn."""
    if road.teller is None:
        return False
    troubles = BackgroundTroubles()
    with troubles.catch(BackgroundWork.ERRANDS):
        recalled = await reach_back(road.book, await recall_at(road, commit.id))
        if await find_errands(road, recalled, troubles):
            return True
        if await find_summary(road, road.teller, recalled) is not None:
            return True
    # The workflow will meet the same error and record it.
    return bool(troubles.found)
