"""A turn that ends worker after worker is given up, and those that ran beside it are not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import CampaignBook, Founding
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.operations.stuck_turns import StuckTurns
from talewright.hosting.operations.supervised_tasks import HostTask, SupervisedTasks
from talewright.hosting.recovery.executor_recovery import OUTDATED_SECONDS, ExecutorRecovery
from talewright.hosting.recovery.poison_turns import COMPANY_CRASHES_MAX, CRASHES_MAX
from talewright.hosting.turn_jobs import TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.presentation.words.player_messages import explain
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.operation_lookup import read_attempt
from talewright.stores.memory_store import MemoryStore
from talewright.stores.postgres.postgres_store import WaitingInput
from talewright.turn.turn_outcomes import Failed, OutcomeReason
from talewright.turn.turn_signals import TurnFailed
from tests.plays.stage import Shelf
from tests.stores.sessions import make_root

POISON, INNOCENT = "poison", "innocent"


@dataclass
class DyingHost:
    """The tables of a host whose workers die, without the workers."""

    url: str
    connection: "asyncpg.Connection[asyncpg.Record]"
    queue: TurnQueue
    recovery: ExecutorRecovery
    tables: HostingTables
    jobs: dict[str, TurnJob]

    async def die(self, executor: str, *operations: str) -> None:
        """A worker takes turns, and is found dead."""
        await self.tables.beat(executor, "3")
        await self.connection.execute(
            "update hosting.executors set answered = answered - 3600 where executor = $1", executor
        )
        await self.connection.execute(
            "update dbos.workflow_status set status = 'PENDING', executor_id = $1"
            " where workflow_uuid = any($2)",
            executor,
            [self.jobs[one].workflow for one in operations],
        )
        await self.recovery.recover(0.0)

    async def list_waiting(self) -> set[str]:
        """The operations that wait for a worker."""
        rows = await self.connection.fetch(
            "select workflow_uuid from dbos.workflow_status where status = 'ENQUEUED'"
        )
        return {row[0].split("/")[-2] for row in rows}

    async def end(self, operation: str) -> None:
        """A turn has been taken."""
        await self.connection.execute(
            "update dbos.workflow_status set status = 'SUCCESS' where workflow_uuid = $1",
            self.jobs[operation].workflow,
        )


def make_parts(store: MemoryStore, bus: NewsBus) -> WorkerParts:
    """What the leading worker uses."""
    return WorkerParts(
        store_of=lambda owner: store,
        news_of=lambda owner: bus,
        editions=Shelf(""),
        now=lambda: "now",
        new_id=lambda: "id",
    )


@asynccontextmanager
async def dying_host(url: str, book: CampaignBook, parts: WorkerParts) -> AsyncIterator[DyingHost]:
    """Such a host, with one accepted input for each operation."""
    queue, tables, connection = TurnQueue(url), HostingTables(url), await asyncpg.connect(url)
    try:
        await queue.prepare()
        head, jobs = (await book.look()).head, {}
        for operation in (POISON, INNOCENT):
            await book.accept(Accepted(operation, "main", head, {"kind": "say", "text": "I wait"}, "at"))
            # In campaigns of their own, so that they may run at the same time.
            jobs[operation] = TurnJob("owner", book.campaign, operation, head, 0)
            await queue.order_turn(jobs[operation])
        recovery = ExecutorRecovery("leader", "3", parts, queue, tables)
        yield DyingHost(url, connection, queue, recovery, tables, jobs)
    finally:
        await connection.close()
        await queue.close()
        await tables.close()


def test_a_turn_that_ends_worker_after_worker_is_given_up(database_url: str) -> None:
    async def work() -> None:
        store, bus = MemoryStore(), NewsBus()
        book = await store.found(Founding("harbor", make_root("harbor"), b"secret"))
        stream = bus.campaign(book.campaign, (await book.look()).sequence).subscribe()
        parts = make_parts(store, bus)
        async with dying_host(database_url, book, parts) as host:
            for number in range(COMPANY_CRASHES_MAX):
                await host.die(f"company-{number}", POISON, INNOCENT)
                assert await host.list_waiting() == {POISON, INNOCENT}
            # From now on they run one at a time.
            await host.die("next", POISON, INNOCENT)
            ended: set[str] = set()
            for number in range(CRASHES_MAX):
                (alone,) = await host.list_waiting()
                if alone == INNOCENT:
                    await host.end(INNOCENT)
                    ended.add(INNOCENT)
                    await host.recovery.recover(0.0)
                    continue
                await host.die(f"worker-{number}", POISON)
                if not await host.queue.find([host.jobs[POISON].workflow]):
                    break
            # The other one goes on, and is not blamed.
            await host.recovery.recover(0.0)
            assert await host.list_waiting() | ended == {INNOCENT}
            (attempt,) = (await book.find(POISON)).attempts
            assert attempt.verdict is AttemptVerdict.FAILED
            assert read_attempt(attempt) == Failed(OutcomeReason.CRASHED)
            assert "crashed" in explain("en", OutcomeReason.CRASHED)
            assert not (await book.find(INNOCENT)).attempts
            said = (await asyncio.wait_for(anext(stream), 5)).signal
            assert said == TurnFailed("crashed", "", "main", POISON)
            await check_list(database_url, host.jobs[POISON].workflow)

    asyncio.run(work())


def test_a_workflow_of_a_removed_campaign_keeps_nobody_else_from_being_recovered(database_url: str) -> None:
    async def work() -> None:
        store, bus = MemoryStore(), NewsBus()
        book = await store.found(Founding("harbor", make_root("harbor"), b"secret"))
        parts = make_parts(store, bus)
        async with dying_host(database_url, book, parts) as host:
            for number in range(CRASHES_MAX - 1):
                await host.tables.note_crashes([(host.jobs[POISON].workflow, f"before-{number}", "turns")])
            await store.remove("harbor", "at")
            # This worker is the last straw for the poison; the turn beside it was its first.
            await host.die("last", POISON, INNOCENT)
            assert not await host.queue.find([host.jobs[POISON].workflow])
            assert await host.list_waiting() == {INNOCENT}
            # Nor does an outdated turn of a removed campaign, or one whose order cannot be read.
            await host.connection.execute(
                "update dbos.workflow_status set application_version = '1', status = 'PENDING'"
            )
            # Engine 1 has begun it, so it belongs to that engine.
            await host.connection.execute(
                "insert into dbos.operation_outputs (workflow_uuid, function_id, function_name)"
                " values ($1, 1, 'begin')",
                host.jobs[INNOCENT].workflow,
            )
            await host.connection.execute(
                "insert into dbos.application_versions (version_id, version_name) values ('one', '1')"
            )
            await host.tables.beat("leader", "3")
            await host.recovery.recover(100.0)
            await host.recovery.recover(100.0 + OUTDATED_SECONDS)
            assert not await host.queue.find([host.jobs[INNOCENT].workflow])

    asyncio.run(work())


def test_a_recovery_that_fails_gives_up_the_lead_and_starts_again(database_url: str) -> None:
    async def work() -> None:
        store, bus = MemoryStore(), NewsBus()
        book = await store.found(Founding("harbor", make_root("harbor"), b"secret"))
        looks: list[float] = []

        async def list_waiting(age_seconds: float) -> tuple[WaitingInput, ...]:
            looks.append(age_seconds)
            if len(looks) == 1:
                raise KeyError("a mistake in the program")
            return ()

        metrics = HostMetrics()
        parts = WorkerParts(
            store_of=lambda owner: store,
            news_of=lambda owner: bus,
            editions=Shelf(""),
            now=lambda: "now",
            new_id=lambda: "id",
            list_waiting=list_waiting,
            observer=metrics,
        )
        async with dying_host(database_url, book, parts) as host:
            tasks = SupervisedTasks(metrics, pause_seconds=0.5)
            tasks.start(HostTask.RECOVERY, host.recovery.recover_forever)
            async with asyncio.timeout(20):
                while not metrics.failing_tasks["recovery"]:
                    await asyncio.sleep(0.01)
                # Another worker can lead now.
                while (lead := await host.tables.try_lead()) is None:
                    await asyncio.sleep(0.01)
                lead.drop()
                # And so can this one again; it sweeps again after a while.
                host.recovery._swept = float("-inf")
                while len(looks) < 2:
                    await asyncio.sleep(0.01)
            await tasks.stop()

    asyncio.run(work())


async def check_list(url: str, workflow: str) -> None:
    """The operator finds the turn."""
    pool = await asyncpg.create_pool(url, min_size=0, max_size=1)
    try:
        (found,) = await StuckTurns(url, pool).list_given_up()
        assert (found.workflow, found.crashes) == (workflow, CRASHES_MAX)
    finally:
        await pool.close()
