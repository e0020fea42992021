"""Executor recovery: workers watch each other, and one of them reassigns the turns of workers that died.

Declaring a live worker dead does no harm: the head moves only once, and the second worker finds the turn
done.
"""

import asyncio
import logging
from collections.abc import Awaitable, Collection, Mapping
from time import monotonic
from typing import cast

from dbos import error

from talewright.chronicle.store import StoreAwayError
from talewright.common.json_values import Json
from talewright.hosting.hosting_tables import UNREACHABLE, HostingTables, Leadership, is_alive
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.json_logs import log_event
from talewright.hosting.recovery.outdated_turns import settle_outdated
from talewright.hosting.recovery.poison_turns import (
    COMPANY_CRASHES_MAX,
    CRASHES_KEPT_SECONDS,
    CRASHES_MAX,
    give_up,
)
from talewright.hosting.recovery.stray_inputs import StrayInputs
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import LIST_MAX, TURNS, BackgroundJob, read_job, read_operation
from talewright.hosting.turn_queue import EngineBindings, TurnQueue, WorkflowState

BEAT_SECONDS = 1.0
"""How often a worker sends a heartbeat."""

LOOK_SECONDS = 1.0
"""How often the leading worker looks for dead ones."""

OUTDATED_SECONDS = 20.0
"""How long turns of an engine that no worker runs wait for a worker that runs it."""

KEPT_SECONDS = 3_600.0
"""How long ended workflows are kept, for clients that ask again."""

SWEEP_SECONDS = 10.0
"""How often it looks for turns of unknown workers and for workflows that ended long ago."""

IDLE_SECONDS = 30.0
"""How often a worker looks for what it has taken but does not run; on a busy machine, starting takes time."""

REMOVALS_MAX = 10
"""How many pages of ended workflows are deleted at once: 1,000 workflows a second, three times the peak."""

_AWAY = (*UNREACHABLE, StoreAwayError, error.DBOSException)
"""Errors that say that a database does not answer, rather than that something is wrong with a workflow."""

_LOG = logging.getLogger(__name__)


class ExecutorRecovery:
    """One worker's part in the recovery."""

    def __init__(
        self,
        executor: str,
        version: str,
        parts: WorkerParts,
        queue: TurnQueue,
        tables: HostingTables,
        active: Collection[str] = (),
    ) -> None:
        """`active` always holds the workflows that this worker is running."""
        self._executor = executor
        self._active = active
        self._version = version
        self._parts = parts
        self._queue = queue
        self._tables = tables
        self._bindings = EngineBindings(tables)
        self.retired = asyncio.Event()
        """Set once an operator has retired this worker."""

        self._outdated: dict[str, float] = {}
        """Since when no worker has run an engine."""

        self._suspect = ""
        """The last workflow that was run alone because several workers had died running it."""

        self._strays = StrayInputs(parts, queue)
        self._idle: set[str] = set()
        """The workflows that this worker had taken at the last look, but was not running."""

        self._looked = self._swept = float("-inf")

    async def beat_forever(self) -> None:
        """Send heartbeats."""
        while True:
            try:
                if await self._tables.beat(self._executor, self._version):
                    self.retired.set()
                # A worker that starts registers its version with DBOS, and may die before it takes it back.
                await self._bindings.share_orders()
            except UNREACHABLE:
                _LOG.warning("the database does not answer")
            await asyncio.sleep(BEAT_SECONDS)

    async def recover_forever(self) -> None:
        """Recover the turns of dead workers, whenever this worker is the leader."""
        lead: Leadership | None = None
        try:
            while True:
                try:
                    if lead is not None and not await lead.is_held():
                        lead = None
                    if lead is None:
                        lead = await self._tables.try_lead()
                    if lead is not None:
                        await self.recover(monotonic())
                    await self.resume_idle(monotonic())
                except _AWAY:
                    _LOG.warning("the database does not answer; dead workers are looked for again")
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            # Whatever ended this, another worker can lead now.
            if lead is not None:
                lead.drop()

    async def recover(self, now: float) -> None:
        """Look once for dead workers and outdated turns, and delete workflows that ended long ago."""
        heartbeats = await self._tables.list_heartbeats()
        alive = {one.executor for one in heartbeats if is_alive(one)}
        gone = [one.executor for one in heartbeats if one.executor not in alive]
        if gone and await self._recover_lost(await self._queue.list_running(gone)):
            # Only now that the turns are safe: while the heartbeat exists, the search for them is repeated.
            await self._tables.forget(gone)
        await self._settle_outdated({one.version for one in heartbeats if one.executor in alive}, now)
        if now - self._swept >= SWEEP_SECONDS:
            self._swept = now
            running = await self._queue.list_running()
            await self._recover_lost([one for one in running if one.executor not in alive])
            for _ in range(REMOVALS_MAX):
                if await self._queue.remove_ended(KEPT_SECONDS) < LIST_MAX:
                    break
            await self._strays.retake()
            await self._tables.drop_old_wishes(KEPT_SECONDS)
            await self._tables.drop_old_crashes(CRASHES_KEPT_SECONDS)

    async def resume_idle(self, now: float) -> None:
        """Put back what this worker has taken, but is not running since the last look, as after an outage of
        the database at that moment.
        """
        if now - self._looked < IDLE_SECONDS:
            return
        self._looked = now
        taken = await self._queue.list_running([self._executor])
        idle = [one for one in taken if one.workflow not in self._active]
        await self._resume([one for one in idle if one.workflow in self._idle])
        self._idle = {one.workflow for one in idle}

    async def hand_over(self) -> None:
        """Let other workers finish at once what this one leaves behind."""
        await self._resume(await self._queue.list_running([self._executor]))
        await self._tables.forget([self._executor])

    async def _recover_lost(self, lost: list[WorkflowState]) -> bool:
        """Let other workers continue what dead ones left behind; returns whether that was all of it."""
        crashes = await self._tables.note_crashes([(one.workflow, one.executor, one.queue) for one in lost])
        suspects = [one for one in lost if crashes[one.workflow] > COMPANY_CRASHES_MAX]
        complete = await self._resume([one for one in lost if one not in suspects])
        waiting = [
            one
            for one in suspects
            if crashes[one.workflow] < CRASHES_MAX
            or not await self._settle(one.workflow, self._give_up(one.workflow))
        ]
        if waiting and await self._is_suspect_open({one.workflow for one in lost}):
            return False
        if waiting:
            # One of them may be crashing workers: run it alone, so that nothing else is lost.
            self._suspect = waiting[0].workflow
            await self._resume(waiting[:1])
        return complete and len(lost) < LIST_MAX and len(waiting) <= 1

    async def _is_suspect_open(self, lost: set[str]) -> bool:
        """Whether the workflow that is to run alone is waiting or running."""
        if not self._suspect or self._suspect in lost:
            return False
        return any(one.is_open for one in await self._queue.find([self._suspect]))

    async def _give_up(self, workflow: str) -> bool:
        """End a workflow that too many workers have died running; returns False if it has to continue."""
        for one in await self._queue.find([workflow]):
            _LOG.error("workflow %s is given up: %d workers have died with it", workflow, CRASHES_MAX)
            argument = cast(Mapping[str, Json], one.argument)
            steps = self._steps_of(workflow)
            if one.queue == TURNS and not await give_up(
                self._parts, argument, await steps.read_if_possible()
            ):
                return False
            await self._queue.remove([workflow])
        return True

    async def _resume(self, lost: list[WorkflowState]) -> bool:
        """Let other workers continue; returns whether that was all of them."""
        if lost:
            for one in lost:
                log_event(
                    _LOG,
                    "turn_taken_over",
                    logging.WARNING,
                    operation=read_operation(one.workflow),
                    owner=one.workflow.partition("/")[0],
                    queue=one.queue,
                    executor=one.executor,
                )
            await self._queue.resume(lost)
            await self._bindings.release([one.workflow for one in lost])
            self._parts.observer.turns_recovered(len(lost))
        return len(lost) < LIST_MAX

    def _steps_of(self, workflow: str) -> SealedSteps:
        return SealedSteps(workflow, self._queue.read_steps, self._parts.seal)

    async def _settle(self, workflow: str, settling: Awaitable[bool]) -> bool:
        """Settle one workflow; if that is impossible, because its campaign was removed or is damaged, delete
        the workflow. Its failure must not keep the others from being recovered.
        """
        (found,) = await asyncio.gather(settling, return_exceptions=True)
        if not isinstance(found, BaseException):
            return found
        if isinstance(found, _AWAY):
            raise found
        _LOG.error("workflow %s cannot be settled and is deleted", workflow, exc_info=found)
        await self._queue.remove([workflow])
        return True

    async def _settle_outdated(self, versions: set[str], now: float) -> None:
        """Retry turns whose engine no worker runs any more."""
        outdated = [one for one in await self._bindings.list_versions() if one not in versions]
        self._outdated = {one: self._outdated.get(one, now) for one in outdated}
        due = [one for one in outdated if now - self._outdated[one] >= OUTDATED_SECONDS]
        found = await self._queue.list_open(due) if due else []
        released = await self._bindings.release([one.workflow for one in found]) if found else set()
        for one in found:
            if one.workflow in released:
                continue
            _LOG.warning("workflow %s of engine %s is tried again", one.workflow, one.version)
            await self._settle(one.workflow, self._settle_outdated_one(one))

    async def _settle_outdated_one(self, one: WorkflowState) -> bool:
        argument = cast(Mapping[str, Json], one.argument)
        if one.queue == TURNS:
            # Write the record first: a node that finds neither workflow nor attempt would order the turn
            # again.
            steps = await self._steps_of(one.workflow).read_if_possible()
            await settle_outdated(self._parts, self._queue, argument, steps)
            await self._queue.remove([one.workflow])
        else:
            await self._queue.remove([one.workflow])
            await self._queue.order_background(read_job(BackgroundJob, argument))
        return True
