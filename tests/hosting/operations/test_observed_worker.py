"""The parts of a host tell their observer what happens: measured runners, recovered turns, a lost Redis."""

import asyncio
import json
import logging
from typing import Any, cast

import pytest

from talewright.bootstrap import new_id, utc_now
from talewright.chronicle.store import CampaignBook
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.open_campaign_cache import OpenCampaign, OpenCampaignCache, WorkerParts
from talewright.hosting.operations.host_metrics import HostMetrics, MeasuredRunner
from talewright.hosting.operations.json_logs import JsonLineFormatter
from talewright.hosting.operations.measured_parts import MeasuredProvider, measure_worker
from talewright.hosting.operations.turn_observer import TurnObserver, report_turn
from talewright.hosting.recovery.executor_recovery import ExecutorRecovery
from talewright.hosting.turn_jobs import TURNS, BackgroundJob, TurnJob, read_operation
from talewright.hosting.turn_queue import TurnQueue, WorkflowState
from talewright.stores.memory_store import MemoryStore
from talewright.turn.turn_context import PlainRunner, Teller, hear_nothing
from talewright.turn.turn_outcomes import Committed, Failed, OutcomeReason
from talewright_testkit.servers.redis_server import running_redis
from tests.hosting.operations.test_host_metrics import TOLD, Priced, read


def make_parts() -> WorkerParts:
    return WorkerParts(
        store_of=lambda owner: MemoryStore(),
        news_of=lambda owner: cast(Any, None),
        editions=cast(Any, None),
        now=utc_now,
        new_id=new_id,
        hire=lambda owner, game, book: Teller(Priced(TOLD)),
    )


def test_a_worker_is_measured_in_one_line() -> None:
    metrics = HostMetrics()
    opened = OpenCampaign("ann", cast(CampaignBook, Book()), "harbor")
    plain = OpenCampaignCache(make_parts()).make_road(opened, "", PlainRunner(), hear_nothing)
    assert isinstance(plain.runner, PlainRunner)
    road = OpenCampaignCache(measure_worker(make_parts(), metrics)).make_road(
        opened, "", PlainRunner(), hear_nothing
    )
    assert isinstance(road.runner, MeasuredRunner)
    assert road.teller is not None
    assert isinstance(road.teller.main, MeasuredProvider)


class Book:
    """A book with a name."""

    campaign = "harbor-1"


class Queue:
    """A queue with a turn of a dead worker."""

    def __init__(self) -> None:
        self.resumed: list[str] = []

    async def list_running(self, executors: object) -> list[WorkflowState]:
        return [WorkflowState("one", True, "dead", "1", TURNS, None)]

    async def resume(self, lost: list[WorkflowState]) -> None:
        self.resumed += [one.workflow for one in lost]


class Tables:
    """Tables that forget."""

    async def fetch(self, statement: str, *arguments: object) -> list[object]:
        return []

    async def forget(self, executors: object) -> None:
        pass


def test_recovered_turns_are_counted() -> None:
    metrics, queue = HostMetrics(), Queue()
    parts = measure_worker(make_parts(), metrics)
    recovery = ExecutorRecovery("me", "1", parts, cast(TurnQueue, queue), cast(HostingTables, Tables()))
    asyncio.run(recovery.hand_over())
    assert queue.resumed == ["one"]
    assert read(metrics)["recovered_turns_total"] == 1


class Waiting(TurnObserver):
    """Waits until Redis is lost."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def redis_lost(self) -> None:
        self.lost.set()


@pytest.mark.hosted
def test_a_lost_redis_is_reported() -> None:
    async def run() -> None:
        with running_redis() as server:
            news = RedisNews(server.url)
            news.observer = observer = Waiting()
            stream = news.for_owner("ann").campaign("harbor", 0).subscribe()
            server.kill()
            await asyncio.wait_for(observer.lost.wait(), 20)
            stream.close()
            await news.close()

    asyncio.run(run())


def test_a_failed_turn_is_one_line_with_its_operation(caplog: pytest.LogCaptureFixture) -> None:
    metrics, order = HostMetrics(), TurnJob("ann", "drowned-king", "0f3a5c7e" * 4, "c" * 40, 2)
    since, now = "2026-11-18T08:00:00.000000Z", "2026-11-18T08:00:41.500000Z"
    failed = Failed(OutcomeReason.ERROR, detail="the drowned king")
    with caplog.at_level(logging.INFO, "talewright"):
        report_turn(metrics, order, failed, since, now)
        report_turn(metrics, order, Committed(cast(Any, None)), since, now)
    assert read(metrics)["turn_seconds_sum failed"] == 41.5
    (line,) = [json.loads(JsonLineFormatter().format(record)) for record in caplog.records]
    assert (line["event"], line["operation"], line["owner"]) == ("turn_failed", order.operation_id, "ann")
    assert (line["reason"], line["attempt"]) == ("error", 2)
    assert "drowned" not in str(line)


@pytest.mark.parametrize("since", ["long ago", "2026-11-18T08:00:00", "2026-11-18T09:00:00Z"])
def test_a_time_that_is_none_ends_no_turn(since: str) -> None:
    metrics, order = HostMetrics(), TurnJob("ann", "harbor", "op", "c" * 40, 0)
    report_turn(metrics, order, Failed(OutcomeReason.ERROR), since, "2026-11-18T08:00:01Z")
    assert read(metrics)["turn_seconds_sum failed"] == 0.0


def test_the_operation_is_in_the_name_of_a_workflow() -> None:
    order = TurnJob("ann", "harbor", "op-7", "c" * 40, 0)
    assert read_operation(order.workflow) == "op-7"
    assert read_operation(BackgroundJob("ann", "harbor", "main", "d" * 40).workflow) == "d" * 40
