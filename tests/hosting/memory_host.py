"""A host in one process, without a database: a queue and tables in memory, and a worker beside the node.

What DBOS, PostgreSQL and Redis do is left out; how nodes and workers use them is not.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.hosting import durable_runner
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.hosting_tables import HostingTables, TurnWish
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.queued_turns import QueuedTurns
from talewright.hosting.turn_jobs import TURNS, BackgroundJob, TurnJob
from talewright.hosting.turn_queue import TurnQueue, WorkflowState
from talewright.hosting.turn_worker import TurnWorker
from talewright.play.campaign_news import NewsService
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.news_watch import SessionNews
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Road, Teller
from tests.play.making import hand_shelf, make_lobby

OWNER = "ann"
EXECUTOR = "worker-1"


class PlainSteps:
    """DBOS, where every step is new."""

    @staticmethod
    async def run_step_async(options: object, work: Callable[[], Awaitable[Json]]) -> Json:
        return await work()


class MemoryQueue:
    """Orders; the worker takes each of them at once, unless there is none."""

    def __init__(self) -> None:
        self.worker: TurnWorker | None = None
        self.states: dict[str, WorkflowState] = {}
        self.ordered: list[TurnJob] = []
        self.background: list[BackgroundJob] = []
        self.looks = 0
        self._running: list[asyncio.Task[None]] = []

    async def order_turn(self, order: TurnJob) -> None:
        if order.workflow in self.states:
            return
        self.ordered.append(order)
        self.states[order.workflow] = WorkflowState(
            order.workflow, True, "", "", TURNS, order.to_json(), is_waiting=True
        )
        if self.worker is not None:
            self._running.append(asyncio.create_task(self._run(self.worker, order)))

    async def order_again(self, order: TurnJob) -> None:
        del self.states[order.workflow]
        await self.order_turn(order)

    async def order_background(self, order: BackgroundJob) -> None:
        self.background.append(order)

    async def find(self, workflows: Sequence[str]) -> list[WorkflowState]:
        self.looks += 1
        return [self.states[one] for one in workflows if one in self.states]

    async def read_steps(self, workflow: str) -> RecordedSteps:
        return []

    def end(self, workflow: str, result: Json = None) -> None:
        """A workflow has ended."""
        self.states[workflow] = replace(self.states[workflow], is_open=False, result=result)

    async def finish(self) -> None:
        """Wait for the worker; whatever went wrong there is raised here."""
        await asyncio.gather(*self._running)

    async def _run(self, worker: TurnWorker, order: TurnJob) -> None:
        hearing = asyncio.create_task(worker.hear_wishes_forever())
        try:
            self.end(order.workflow, await worker.take(order.workflow, order.to_json()))
        finally:
            hearing.cancel()


class MemoryTables:
    """The wishes of players."""

    def __init__(self) -> None:
        self.wishes: dict[str, TurnWish] = {}

    async def wish(self, workflow: str, wish: TurnWish) -> None:
        self.wishes.setdefault(workflow, wish)

    async def list_wishes(self, workflows: Sequence[str]) -> list[tuple[str, TurnWish]]:
        return [(one, self.wishes[one]) for one in workflows if one in self.wishes]

    async def drop_wishes(self, workflow: str) -> None:
        self.wishes.pop(workflow, None)


class MemoryHost:
    """A node with one owner, and its worker."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        edition: Edition,
        teller: Teller | None = None,
        worker_news: NewsService | None = None,
    ) -> None:
        """Without `worker_news`, the node hears the events of the worker."""
        monkeypatch.setattr(durable_runner, "DBOS", PlainSteps)
        local = make_lobby(edition, teller=teller)
        self.queue, self.tables = MemoryQueue(), MemoryTables()
        self.turns: list[QueuedTurns] = []
        """Of every session, in the order of their beginning."""

        self.broadcasts: list[SessionNews] = []
        """The events of the same sessions."""

        news = NewsBus()
        self.lobby = replace(local, news=news, execution=self._queue_turns)
        parts = WorkerParts(
            store_of=lambda owner: local.store,
            news_of=lambda owner: worker_news or news,
            editions=hand_shelf(local),
            now=local.now,
            new_id=local.new_id,
            hire=lambda owner, game, book: teller,
        )
        queue, tables = cast(TurnQueue, self.queue), cast(HostingTables, self.tables)
        self.worker = TurnWorker(parts, queue, tables, EXECUTOR)
        self.queue.worker = self.worker

    def _queue_turns(self, road: Road, broadcast: SessionNews) -> QueuedTurns:
        queue, tables = cast(TurnQueue, self.queue), cast(HostingTables, self.tables)
        self.broadcasts.append(broadcast)
        self.turns.append(QueuedTurns(road, broadcast, OWNER, queue, tables))
        return self.turns[-1]
