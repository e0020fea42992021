"""The turn queue: what is ordered is found again, by any node, as long as it is there."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import pytest

from talewright.hosting import turn_queue
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.turn_jobs import APPLICATION, BACKGROUND, TURNS, BackgroundJob, TurnJob
from talewright.hosting.turn_queue import EngineBindings, TurnQueue, WorkflowState

HARBOR = TurnJob("ann", "harbor", "op-1", "base", 0, "en")
ROAD = TurnJob("bob", "road", "op-1", "base", 2)
AFTER = BackgroundJob("ann", "harbor", "main", "commit", "en")


@dataclass
class OrderedWork:
    """Two turns and the work after another, as they stand in the tables."""

    queue: TurnQueue
    connection: "asyncpg.Connection[asyncpg.Record]"

    async def start(self, executor: str, *workflows: str) -> None:
        """A worker takes some of them."""
        await self.connection.execute(
            "update dbos.workflow_status set status = 'PENDING', executor_id = $1, application_version = '3'"
            " where workflow_uuid = any($2)",
            executor,
            workflows,
        )

    async def store_step(self, workflow: str, place: int, name: str, result: object) -> None:
        """A step has ended."""
        await self.connection.execute(
            "insert into dbos.operation_outputs"
            " (workflow_uuid, function_id, function_name, output, serialization, retention_timestamp)"
            " select workflow_uuid, $2, $3, $4, serialization, 0"
            " from dbos.workflow_status where workflow_uuid = $1",
            *(workflow, place, name, json.dumps(result)),
        )


@asynccontextmanager
async def ordered(url: str) -> AsyncIterator[OrderedWork]:
    queue, connection = TurnQueue(url), await asyncpg.connect(url)
    try:
        await queue.prepare()
        for job in (HARBOR, ROAD):
            await queue.order_turn(job)
        await queue.order_background(AFTER)
        yield OrderedWork(queue, connection)
    finally:
        await connection.close()
        await queue.close()


def with_orders(url: str, use: Callable[[OrderedWork], Awaitable[None]]) -> None:
    async def run() -> None:
        async with ordered(url) as work:
            await use(work)

    asyncio.run(run())


def names(found: list[WorkflowState]) -> set[str]:
    return {one.workflow for one in found}


def test_what_is_ordered_is_found_by_its_name(database_url: str) -> None:
    async def use(work: OrderedWork) -> None:
        (found,) = await work.queue.find([HARBOR.workflow])
        assert (found.workflow, found.queue, found.argument) == (HARBOR.workflow, TURNS, HARBOR.to_json())
        assert (found.is_open, found.is_waiting, found.executor, found.result) == (True, True, "", None)
        assert await work.queue.find(["ann/harbor/base/op-9/0"]) == []
        assert await work.queue.find([]) == []
        # An order that is repeated is the same workflow.
        await work.queue.order_turn(HARBOR)
        assert names(await work.queue.list_open()) == {HARBOR.workflow, ROAD.workflow, AFTER.workflow}
        assert await work.queue.list_open(age_seconds=3_600.0) == []
        (background,) = await work.queue.find([AFTER.workflow])
        assert (background.queue, background.argument) == (BACKGROUND, AFTER.to_json())
        # Another application may have its workflows in the same tables.
        owners = await work.connection.fetch("select distinct application_name from dbos.workflow_status")
        assert [row[0] for row in owners] == [APPLICATION]

    with_orders(database_url, use)


def test_what_a_worker_has_taken_is_running(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(work: OrderedWork) -> None:
        assert await work.queue.list_running() == []
        await work.start("worker-1", HARBOR.workflow)
        await work.start("worker-2", AFTER.workflow)
        assert names(await work.queue.list_running()) == {HARBOR.workflow, AFTER.workflow}
        (running,) = await work.queue.list_running(["worker-1"])
        assert (running.workflow, running.executor, running.version) == (HARBOR.workflow, "worker-1", "3")
        assert (running.is_open, running.is_waiting, running.queue) == (True, False, TURNS)
        # A page of them, however many there are.
        monkeypatch.setattr(turn_queue, "LIST_MAX", 1)
        assert len(await work.queue.list_running()) == 1

    with_orders(database_url, use)


def test_stored_steps_are_read_in_their_order(database_url: str) -> None:
    async def use(work: OrderedWork) -> None:
        await work.start("worker-1", HARBOR.workflow)
        await work.store_step(HARBOR.workflow, 2, "op-1/ask 1", {"value": "h\u00e9"})
        await work.store_step(HARBOR.workflow, 1, "op-1/begin", {"value": None})
        expected = [("op-1/begin", {"value": None}), ("op-1/ask 1", {"value": "h\u00e9"})]
        assert await work.queue.read_steps(HARBOR.workflow) == expected

    with_orders(database_url, use)


def test_a_queue_can_be_made_before_its_database_answers() -> None:
    queue = TurnQueue("postgresql://nobody@127.0.0.1:1/none", patient=False)
    asyncio.run(queue.close())


def test_the_version_of_a_worker_that_starts_is_not_taken_back(database_url: str) -> None:
    """DBOS registers it and then looks for it; if it is gone, the worker ends."""

    async def run() -> None:
        count = "select count(*) from dbos.application_versions"
        register = "insert into dbos.application_versions (version_id, version_name) values ('x', '4')"
        async with ordered(database_url) as work:
            tables, others = HostingTables(database_url), HostingTables(database_url)
            async with EngineBindings(tables).starting(), EngineBindings(others).starting():
                await work.connection.execute(register)
                await EngineBindings(others).share_orders()
                assert await work.connection.fetchval(count) == 1
            await EngineBindings(others).share_orders()
            assert await work.connection.fetchval(count) == 0
            await tables.close()
            await others.close()

    asyncio.run(run())
