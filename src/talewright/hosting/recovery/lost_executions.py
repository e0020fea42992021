"""Lost executions: puts a workflow back into its queue if this worker cannot continue it now.

The next execution continues from the stored steps. While a database is away, that is repeated for as long as
it takes. Anything else, such as steps that cannot be decrypted, is tried a few times; then the turn fails.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from dbos import DBOS, error

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.hosting.durable_runner import ExecutionLostError
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.json_logs import FIELDS, OPERATION
from talewright.hosting.recovery.poison_turns import give_up
from talewright.hosting.recovery.stored_results import TRANSIENT, UnknownFormError
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import TURNS, read_operation
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.sealing import UnsealError
from talewright.turn.turn_outcomes import OutcomeReason

LOSSES_MAX = 5
"""How often this worker puts a workflow back for a reason that may last."""

MAY_LAST: Final = (OSError, UnsealError, UnknownFormError)
"""Causes other than a database that is away, which is waited for. Whatever DBOS raises belongs to that."""

PAUSE_SECONDS = 1.0
"""How long it waits before that."""

WorkflowCall: TypeAlias = Callable[[str, Mapping[str, Json]], Awaitable[Json]]
"""The work of a workflow: takes its id and its argument."""

_LOG = logging.getLogger(__name__)


@frozen
class QueuedWork:
    """A workflow, and the queue it came from."""

    workflow: str
    queue: str


class LostExecutions:
    """The executions that one worker could not continue."""

    def __init__(self, parts: WorkerParts, queue: TurnQueue, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._parts = parts
        self._queue = queue
        self._pause_seconds = pause_seconds
        self._losses: Counter[str] = Counter()
        self.active: set[str] = set()
        """The workflows that are running here."""

    async def guard(self, queue: str, work: WorkflowCall, argument: Mapping[str, Json]) -> Json:
        """Run the current workflow, or put it back and end this execution."""
        one = QueuedWork(DBOS.workflow_id or "", queue)
        self.active.add(one.workflow)
        try:
            result = await work(one.workflow, argument)
        except (ExecutionLostError, *TRANSIENT) as lost:
            cause = lost.__cause__ or lost if isinstance(lost, ExecutionLostError) else lost
        else:
            self._losses.pop(one.workflow, None)
            return result
        finally:
            self.active.discard(one.workflow)
        if isinstance(cause, MAY_LAST):
            self._losses[one.workflow] += 1
        if self._losses[one.workflow] > LOSSES_MAX:
            await self._give_up(one, argument)
            raise cause
        _LOG.warning("turn_interrupted", exc_info=cause, extra={FIELDS: _describe(one)})
        self._parts.observer.execution_lost()
        await asyncio.sleep(self._pause_seconds)
        await self._queue.resume([one])
        # DBOS ends an execution that another one may have replaced without recording an outcome.
        raise error.DBOSWorkflowConflictIDError(one.workflow)

    async def _give_up(self, one: QueuedWork, argument: Mapping[str, Json]) -> None:
        """Record that a turn has failed, so that its player can decide what to do."""
        _LOG.error("turn_abandoned", extra={FIELDS: _describe(one)})
        del self._losses[one.workflow]
        if one.queue == TURNS:
            steps = SealedSteps(one.workflow, self._queue.read_steps, self._parts.seal)
            await give_up(self._parts, argument, await steps.read_if_possible(), OutcomeReason.ERROR)


def _describe(one: QueuedWork) -> dict[str, str]:
    """What the log says about a workflow: no campaign."""
    return {OPERATION: read_operation(one.workflow), "owner": one.workflow.partition("/")[0]}
