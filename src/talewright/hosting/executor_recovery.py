"""Executor recovery: workers watch each other, and one of them reassigns the turns of workers that died.

Declaring a live worker dead does no harm: the head moves only once, and the second worker finds the turn
done.
"""

import asyncio
import logging
from collections.abc import Mapping
from time import monotonic
from typing import cast

from dbos import error

from talewright.common.json_values import Json
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.hosting_tables import UNREACHABLE, HostingTables, Leadership, is_alive
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.outdated_turns import settle_outdated
from talewright.hosting.poison_turns import (
    COMPANY_CRASHES_MAX,
    CRASHES_KEPT_SECONDS,
    CRASHES_MAX,
    give_up,
)
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import TURNS, BackgroundJob, read_job
from talewright.hosting.turn_queue import LIST_MAX, EngineBindings, TurnQueue, WorkflowState
from talewright.stores.postgres.sealing import UnsealError

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

REMOVALS_MAX = 10
"""How many pages of ended workflows are deleted at once: 1,000 workflows a second, three times the peak."""

_LOG = logging.getLogger(__name__)


class ExecutorRecovery:
    """One worker's part in the recovery."""

    def __init__(
        self, executor: str, version: str, parts: WorkerParts, queue: TurnQueue, tables: HostingTables
    ) -> None:
        self._executor = executor
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

        self._swept = float("-inf")

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
        while True:
            try:
                if lead is not None and not await lead.is_held():
                    lead = None
                if lead is None:
                    lead = await self._tables.try_lead()
                if lead is not None:
                    await self.recover(monotonic())
            except (*UNREACHABLE, error.DBOSException):
                _LOG.warning("the database does not answer; dead workers are looked for again")
            await asyncio.sleep(LOOK_SECONDS)

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
            await self._tables.drop_old_wishes(KEPT_SECONDS)
            await self._tables.drop_old_crashes(CRASHES_KEPT_SECONDS)

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
            if crashes[one.workflow] < CRASHES_MAX or not await self._give_up(one.workflow)
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
            steps = await self._read_steps(workflow)
            if one.queue == TURNS and not await give_up(self._parts, argument, steps):
                return False
            await self._queue.remove([workflow])
        return True

    async def _resume(self, lost: list[WorkflowState]) -> bool:
        """Let other workers continue; returns whether that was all of them."""
        if lost:
            _LOG.warning("%d workflows of dead workers go on", len(lost))
            await self._queue.resume(lost)
            await self._bindings.release([one.workflow for one in lost])
            self._parts.observer.turns_recovered(len(lost))
        return len(lost) < LIST_MAX

    async def _read_steps(self, workflow: str) -> RecordedSteps:
        """The stored steps of a workflow; none if they cannot be decrypted, such as after a key change."""
        try:
            return await SealedSteps(workflow, self._queue.read_steps, self._parts.seal).read(workflow)
        except UnsealError as failure:
            _LOG.warning("the steps of workflow %s cannot be read: %s", workflow, failure)
            return []

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
            argument = cast(Mapping[str, Json], one.argument)
            steps = await self._read_steps(one.workflow)
            if one.queue == TURNS:
                # Write the record first: a node that finds neither workflow nor attempt would order the turn
                # again.
                await settle_outdated(self._parts, self._queue, argument, steps)
                await self._queue.remove([one.workflow])
            else:
                await self._queue.remove([one.workflow])
                await self._queue.order_background(read_job(BackgroundJob, argument))
