"""Lost executions: a workflow goes back to its queue while a database is away, but not for ever otherwise."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest
from dbos import error

from talewright.chronicle.records import Accepted
from talewright.chronicle.store import CampaignBook, Founding, StoreAwayError
from talewright.common.json_values import Json
from talewright.hosting.durable_runner import ExecutionLostError, RecordedSteps
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.recovery.lost_executions import LOSSES_MAX, LostExecutions
from talewright.hosting.turn_jobs import BACKGROUND, TURNS, TurnJob
from talewright.hosting.turn_queue import QueuedWorkflow, TurnQueue
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.operation_lookup import read_attempt
from talewright.stores.memory_store import MemoryStore
from talewright.stores.postgres.sealing import UnsealError
from talewright.turn.turn_outcomes import Failed, OutcomeReason
from tests.plays.stage import Shelf
from tests.stores.sessions import make_root


class FakeQueue:
    """Notes what is put back."""

    def __init__(self) -> None:
        self.resumed: list[str] = []

    async def resume(self, lost: Sequence[QueuedWorkflow]) -> None:
        self.resumed += [one.queue for one in lost]

    async def read_steps(self, workflow: str) -> RecordedSteps:
        return []


class LosingWorker:
    """A worker whose turns cannot continue, in a campaign with one accepted input."""

    def __init__(self, book: CampaignBook, store: MemoryStore, job: TurnJob) -> None:
        bus = NewsBus()
        self.book, self.job, self.queue, self.metrics = book, job, FakeQueue(), HostMetrics()
        parts = WorkerParts(
            store_of=lambda owner: store,
            news_of=lambda owner: bus,
            editions=Shelf(""),
            now=lambda: "now",
            new_id=lambda: "id",
            observer=self.metrics,
        )
        self.lost = LostExecutions(parts, cast(TurnQueue, self.queue), pause_seconds=0.0)

    async def run(self, failure: BaseException, queue: str = TURNS) -> Any:
        """Run a workflow that fails."""

        async def work(workflow: str, argument: Mapping[str, Json]) -> Json:
            assert workflow in self.lost.active
            raise failure

        try:
            return await self.lost.guard(queue, work, self.job.to_json())
        finally:
            assert not self.lost.active


async def make_worker() -> LosingWorker:
    store = MemoryStore()
    book = await store.found(Founding("harbor", make_root("harbor"), b"secret"))
    head = (await book.look()).head
    await book.accept(Accepted("op", "main", head, {"kind": "say", "text": "I wait"}, "at"))
    return LosingWorker(book, store, TurnJob("owner", "harbor", "op", head, 0))


def lose(cause: Exception) -> ExecutionLostError:
    lost = ExecutionLostError(str(cause))
    lost.__cause__ = cause
    return lost


@pytest.mark.parametrize(
    "failure", [StoreAwayError("away"), lose(StoreAwayError("away")), lose(RuntimeError("of DBOS"))]
)
def test_while_a_database_is_away_a_turn_is_put_back_each_time(failure: BaseException) -> None:
    async def run() -> None:
        worker = await make_worker()
        for _ in range(3 * LOSSES_MAX):
            # DBOS records no outcome of an execution that ends like this.
            with pytest.raises(error.DBOSWorkflowConflictIDError):
                await worker.run(failure)
        assert worker.queue.resumed == [TURNS] * 3 * LOSSES_MAX
        assert not (await worker.book.find("op")).attempts
        assert f"talewright_lost_executions_total {3.0 * LOSSES_MAX}".encode() in worker.metrics.write()

    asyncio.run(run())


@pytest.mark.parametrize("failure", [OSError("no such file"), lose(UnsealError("a key that is gone"))])
def test_a_turn_that_can_never_continue_fails_and_its_player_can_decide(failure: BaseException) -> None:
    async def run() -> None:
        worker = await make_worker()
        for _ in range(LOSSES_MAX):
            with pytest.raises(error.DBOSWorkflowConflictIDError):
                await worker.run(failure)
        with pytest.raises((OSError, UnsealError)):
            await worker.run(failure)
        assert worker.queue.resumed == [TURNS] * LOSSES_MAX
        (attempt,) = (await worker.book.find("op")).attempts
        assert read_attempt(attempt) == Failed(OutcomeReason.ERROR)
        assert not (await worker.book.look()).waiting

    asyncio.run(run())


def test_background_work_that_can_never_continue_ends_without_a_record() -> None:
    async def run() -> None:
        worker = await make_worker()
        for _ in range(LOSSES_MAX):
            with pytest.raises(error.DBOSWorkflowConflictIDError):
                await worker.run(OSError("no such file"), BACKGROUND)
        with pytest.raises(OSError, match="no such file"):
            await worker.run(OSError("no such file"), BACKGROUND)
        assert not (await worker.book.find("op")).attempts

    asyncio.run(run())


def test_other_errors_are_the_business_of_the_workflow() -> None:
    async def run() -> None:
        worker = await make_worker()
        with pytest.raises(ZeroDivisionError):
            await worker.run(ZeroDivisionError())
        assert not worker.queue.resumed

    asyncio.run(run())
