"""Stray inputs: accepted inputs that no queue holds are queued again, and others are left alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import asyncpg

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import Accepted, AttemptVerdict, Record
from talewright.chronicle.store import CampaignBook, Founding
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.recovery.stray_inputs import RETAKES_MAX, STRAY_SECONDS, StrayInputs
from talewright.hosting.turn_jobs import TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.sessions.news_bus import NewsBus
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.shards import single_database
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from tests.plays.stage import Shelf
from tests.stores.postgres.stores import KEYS
from tests.stores.sessions import make_root

OWNER = "ann"


@dataclass
class StrayHost:
    """The tables of a host without workers."""

    connection: "asyncpg.Connection[asyncpg.Record]"
    queue: TurnQueue
    store: PostgresStore
    strays: StrayInputs
    metrics: HostMetrics

    async def found(self, campaign: str, *past: Record) -> CampaignBook:
        root = make_root(campaign)
        return await self.store.for_owner(OWNER).found(Founding(campaign, root, b"secret", past=past))

    async def accept(self, book: CampaignBook, operation: str) -> TurnJob:
        """Accept an input some time ago; its node has died before it ordered the turn."""
        head = (await book.look()).head
        await book.accept(make_accepted(operation, head))
        await self.connection.execute(
            "update waiting set at = at - make_interval(secs => $1)", STRAY_SECONDS + 1
        )
        return TurnJob(OWNER, book.campaign, operation, head, 0)

    async def end(self, job: TurnJob) -> None:
        """The workflow of a turn has ended without a trace in the record."""
        await self.connection.execute(
            "update dbos.workflow_status set status = 'ERROR' where workflow_uuid = $1", job.workflow
        )

    async def list_queued(self) -> set[str]:
        rows = await self.connection.fetch(
            "select workflow_uuid from dbos.workflow_status where status = 'ENQUEUED'"
        )
        return {row[0] for row in rows}


def make_accepted(operation: str, head: str) -> Accepted:
    return Accepted(operation, "main", head, {"kind": "say", "text": "I wait"}, "at")


@asynccontextmanager
async def stray_host(url: str) -> AsyncIterator[StrayHost]:
    store, queue = await connect(single_database(url), KEYS), TurnQueue(url, 1)
    connection, metrics = await asyncpg.connect(url), HostMetrics()
    bus = NewsBus()
    parts = WorkerParts(
        store_of=store.for_owner,
        news_of=lambda owner: bus,
        editions=Shelf(""),
        now=lambda: "now",
        new_id=lambda: "id",
        list_waiting=store.list_waiting,
        observer=metrics,
    )
    try:
        await queue.prepare()
        yield StrayHost(connection, queue, store, StrayInputs(parts, queue), metrics)
    finally:
        await connection.close()
        await queue.close()
        await store.close()


def test_an_input_whose_turn_nobody_ordered_is_queued(database_url: str) -> None:
    async def run() -> None:
        async with stray_host(database_url) as host:
            job = await host.accept(await host.found("harbor"), "lost")
            await host.strays.retake()
            assert await host.list_queued() == {job.workflow}
            (found,) = await host.queue.find([job.workflow])
            assert found.argument == job.to_json()
            assert b"talewright_retaken_inputs_total 1.0" in host.metrics.write()
            assert b"talewright_stray_inputs 0.0" in host.metrics.write()
            # It is in a queue now.
            await host.strays.retake()
            assert b"talewright_retaken_inputs_total 1.0" in host.metrics.write()

    asyncio.run(run())


def test_a_turn_that_ended_without_a_trace_is_ordered_again_but_not_for_ever(database_url: str) -> None:
    async def run() -> None:
        async with stray_host(database_url) as host:
            job = await host.accept(await host.found("harbor"), "lost")
            await host.queue.order_turn(job)
            for _ in range(RETAKES_MAX):
                await host.end(job)
                await host.strays.retake()
                assert await host.list_queued() == {job.workflow}
            await host.end(job)
            await host.strays.retake()
            assert not await host.list_queued()
            # The operator sees it.
            assert b"talewright_stray_inputs 1.0" in host.metrics.write()

    asyncio.run(run())


def test_an_interrupted_attempt_is_followed_by_the_next(database_url: str) -> None:
    async def run() -> None:
        async with stray_host(database_url) as host:
            book = await host.found("harbor")
            job = await host.accept(book, "lost")
            accepted = (await book.find("lost")).accepted
            assert accepted is not None
            ledger, interrupted = AttemptLedger(), AttemptVerdict.INTERRUPTED
            await book.add(make_attempt("try", "at", accepted, interrupted, ledger))
            await host.strays.retake()
            assert await host.list_queued() == {replace(job, try_number=1).workflow}

    asyncio.run(run())


def test_what_is_not_the_hosts_business_is_left_alone(database_url: str) -> None:
    async def run() -> None:
        async with stray_host(database_url) as host:
            # Accepted a moment ago.
            recent = await host.found("recent")
            await recent.accept(make_accepted("recent", (await recent.look()).head))
            await host.strays.retake()
            assert not await host.list_queued()
            # Left waiting at home, before the campaign was pushed.
            root = make_root("pushed")
            await host.found("pushed", make_accepted("old", root.id))
            # Removed, or narrated by a game master.
            await host.accept(await host.found("removed"), "gone")
            await host.store.for_owner(OWNER).remove("removed", "at")
            told = await host.found("told")
            await host.accept(told, "told")
            await told.write_open_turn(OpenTurn("main", "told", "master", "2126-01-01T00:00:00Z", 0, {}), 0)
            # Ended meanwhile.
            ended = await host.found("ended")
            await host.accept(ended, "ended")
            accepted = (await ended.find("ended")).accepted
            assert accepted is not None
            await ended.add(
                make_attempt("try", "at", accepted, AttemptVerdict.DEGRADED, AttemptLedger(), "untold")
            )
            await host.connection.execute("delete from waiting where operation = 'recent'")
            await host.strays.retake()
            assert not await host.list_queued()

    asyncio.run(run())


def test_one_damaged_campaign_does_not_keep_others_waiting(database_url: str) -> None:
    async def run() -> None:
        async with stray_host(database_url) as host:
            await host.accept(await host.found("damaged"), "first")
            job = await host.accept(await host.found("harbor"), "second")
            await host.connection.execute("update campaigns set newest = 'other' where name = 'damaged'")
            await host.strays.retake()
            assert await host.list_queued() == {job.workflow}

    asyncio.run(run())
