"""The turn queue: lets any node order turns and background work, and look up their results.

It runs nothing. Orders are rows in DBOS's tables, so they outlive every process. Any engine may take an
order; a turn in progress is bound to the engine that began it.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Protocol, cast

from dbos import DBOS, DBOSClient, WorkflowStatus, WorkflowStatusString
from sqlalchemy import QueuePool, event

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.hosting.database_addresses import NAME, find_connection_name, make_database_url
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.hosting_tables import HostingTables, is_alive
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.hosting.turn_jobs import APPLICATION, BACKGROUND, LIST_MAX, TURNS, BackgroundJob, TurnJob

OPEN = ("ENQUEUED", "PENDING", "DELAYED")
"""States of a workflow that has not ended."""

WAITING = ("ENQUEUED", "DELAYED")
"""States of a workflow that no worker has taken."""

POOL_SIZE = 8
"""Connections of one node to DBOS's tables."""

START_LOCK = 7_216_003
"""The advisory lock of workers that start."""

_SHARE = """
delete from dbos.application_versions
where coalesce(application_name, $1) = $1 and pg_try_advisory_xact_lock($2)
"""

_PASS_ON = """
update dbos.workflow_status set status = 'ENQUEUED', application_version = $3, executor_id = null,
  owner_xid = null, started_at_epoch_ms = null
where workflow_uuid = $1 and executor_id = $2 and status = 'PENDING'
returning workflow_uuid
"""

_RELEASE = """
update dbos.workflow_status w set application_version = null
where workflow_uuid = any($1) and status = 'ENQUEUED' and application_version is not null
  and not exists (select from dbos.operation_outputs o where o.workflow_uuid = w.workflow_uuid)
returning workflow_uuid
"""

_VERSIONS = """
select distinct application_version as version from dbos.workflow_status
where status in ('ENQUEUED', 'PENDING') and queue_name = any($1)
  and application_version is not null
"""


@frozen
class WorkflowState:
    """What is known about a workflow."""

    workflow: str
    is_open: bool
    """Whether it is waiting or running."""

    executor: str
    version: str
    """The engine number it is bound to; empty if any worker may take it."""

    queue: str
    argument: Json
    result: Json = None
    """Its result; None if it has not ended, or ended with an error."""

    is_waiting: bool = False
    """Whether it waits for a worker."""

    ordered_at: float = 0.0
    """When it was ordered, in seconds since 1970."""


class QueuedWorkflow(Protocol):
    """A workflow, and the queue it came from."""

    @property
    def workflow(self) -> str: ...
    @property
    def queue(self) -> str: ...


class TurnQueue:
    """A client of DBOS."""

    def __init__(self, url: str, pool_size: int = POOL_SIZE, *, patient: bool = True) -> None:
        """A client that is not `patient` reports at once that the database cannot be reached."""
        self._url = make_database_url(url)
        self._client = DBOSClient(
            system_database_url=self._url,
            serializer=PlainJsonSerializer(),
            system_database_pool_size=pool_size,
            application_name=APPLICATION,
            lazy=True,
            retry_connection_errors=patient,
        )
        engine = self._client._sys_db.engine
        self.pool = cast(QueuePool, engine.pool)
        """Its connections."""

        name = find_connection_name(url)
        if name:
            # DBOS gives the connections of every client the same name, whatever is in the address.
            event.listen(engine, "do_connect", partial(_name_connection, name))

    async def prepare(self, role: str = "") -> None:
        """Create or migrate DBOS's tables; called before the first order of a node or a worker.

        With a role, grant it what nodes and workers need there.
        """
        await asyncio.to_thread(DBOS.migrate, self._url, application_role=role or None)

    async def order_turn(self, order: TurnJob) -> None:
        """Order a turn; the same order means the same workflow, even if that is running or has ended."""
        await self._enqueue(TURNS, order.workflow, order.place, order.to_json())

    async def order_again(self, order: TurnJob) -> None:
        """Order a turn whose workflow has ended without a trace in the record."""
        await self.remove([order.workflow])
        await self.order_turn(order)

    async def order_background(self, order: BackgroundJob) -> None:
        """Order the work that follows a commit, once."""
        await self._enqueue(BACKGROUND, order.workflow, order.place, order.to_json())

    async def _enqueue(self, name: str, workflow: str, place: str, argument: dict[str, Json]) -> None:
        await self._client.enqueue_async(
            {
                "workflow_name": name,
                "queue_name": name,
                "workflow_id": workflow,
                "queue_partition_key": place,
            },
            argument,
        )

    async def find(self, workflows: Sequence[str]) -> list[WorkflowState]:
        """What is known about some workflows; those that do not exist are left out."""
        if not workflows:
            return []
        return [
            _read_state(one) for one in await self._client.list_workflows_async(workflow_ids=list(workflows))
        ]

    async def list_open(
        self, versions: Sequence[str] = (), *, age_seconds: float = 0.0, limit: int = LIST_MAX
    ) -> list[WorkflowState]:
        """The workflows that have not ended, of some engine numbers or of all, oldest first.

        With an age, only those ordered at least that long ago.
        """
        before = datetime.now(UTC) - timedelta(seconds=age_seconds)
        found = await self._client.list_workflows_async(
            status=list(OPEN),
            queue_name=[TURNS, BACKGROUND],
            app_version=list(versions) or None,
            end_time=before.isoformat() if age_seconds else None,
            load_output=False,
            limit=limit,
        )
        return [_read_state(one) for one in found]

    async def list_running(self, executors: Sequence[str] = ()) -> list[WorkflowState]:
        """The workflows that some workers have taken, or had taken before they died; by default of all."""
        found = await self._client.list_workflows_async(
            status=WorkflowStatusString.PENDING.value,
            queue_name=[TURNS, BACKGROUND],
            executor_id=list(executors) or None,
            load_input=False,
            load_output=False,
            limit=LIST_MAX,
        )
        return [_read_state(one) for one in found]

    async def read_steps(self, workflow: str) -> RecordedSteps:
        """The stored steps of a workflow, in their order."""
        steps = await self._client.list_workflow_steps_async(workflow)
        return [(step["function_name"], cast(Json, step["output"])) for step in steps]

    async def resume(self, lost: Sequence[QueuedWorkflow]) -> None:
        """Let other workers finish what a dead one started."""
        for queue in (TURNS, BACKGROUND):
            workflows = [one.workflow for one in lost if one.queue == queue]
            if workflows:
                await self._client.resume_workflows_async(workflows, queue_name=queue)

    async def remove(self, workflows: Sequence[str]) -> None:
        """Delete workflows, with their steps."""
        await self._client.delete_workflows_async(list(workflows))

    async def remove_ended(self, age_seconds: float, limit: int = LIST_MAX) -> int:
        """Delete workflows that ended some time ago; returns how many there were."""
        before = datetime.now(UTC) - timedelta(seconds=age_seconds)
        ended = await self._client.list_workflows_async(
            status=[one.value for one in WorkflowStatusString if one.value not in OPEN],
            completed_before=before.isoformat(),
            load_input=False,
            load_output=False,
            limit=limit,
        )
        if ended:
            await self.remove([one.workflow_id for one in ended])
        return len(ended)

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._client.destroy)


def _name_connection(name: str, dialect: Any, record: Any, words: Any, options: dict[str, Any]) -> None:
    options[NAME] = name


def _read_state(one: WorkflowStatus) -> WorkflowState:
    arguments: Any = one.input["args"] if one.input else ()
    return WorkflowState(
        one.workflow_id,
        one.status in OPEN,
        one.executor_id or "",
        one.app_version or "",
        one.queue_name or "",
        cast(Json, arguments[0] if arguments else None),
        cast(Json, one.output),
        one.status in WAITING,
        (one.created_at or 0) / 1000,
    )


def read_engine(version: str) -> int:
    """The engine number of a worker's version; 0 if it is none."""
    return int(version) if version.isdecimal() else 0


class EngineBindings:
    """Which engine may run a workflow; DBOS stores it as the version of the workflow.

    By itself, DBOS gives orders only to the version that was registered last, even if no worker runs that any
    more; so the statements change its tables.
    """

    def __init__(self, tables: HostingTables) -> None:
        self._tables = tables

    def starting(self) -> AbstractAsyncContextManager[None]:
        """While a worker starts, nobody takes back the version that DBOS registers and then looks for."""
        return self._tables.hold_shared(START_LOCK)

    async def share_orders(self) -> None:
        """Let workers of every engine take orders: without a registered version, DBOS prefers none.

        While a worker starts, this does nothing.
        """
        await self._tables.fetch(_SHARE, APPLICATION, START_LOCK)

    async def pass_on(self, workflow: str, executor: str, engine: int) -> bool:
        """Pass a workflow that a worker cannot run to a worker of a later engine; False if none is running.

        `engine` is the oldest one that can run it.
        """
        running = [read_engine(one.version) for one in await self._tables.list_heartbeats() if is_alive(one)]
        able = [one for one in running if one >= engine]
        return bool(able) and bool(await self._tables.fetch(_PASS_ON, workflow, executor, str(min(able))))

    async def release(self, workflows: Sequence[str]) -> set[str]:
        """Let any engine take the waiting ones of these workflows that no engine has begun; returns which."""
        return {row["workflow_uuid"] for row in await self._tables.fetch(_RELEASE, list(workflows))}

    async def list_versions(self) -> list[str]:
        """The versions to which workflows are bound that have not ended."""
        return [row["version"] for row in await self._tables.fetch(_VERSIONS, [TURNS, BACKGROUND])]
