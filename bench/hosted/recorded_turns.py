"""Recorded turns: what one turn sent to the database and to DBOS, so that a bare engine can do the same.

A recording has the statements with their values, the steps with their stored results, and the order. The bare
side works on a copy of the database from before, so that every statement finds what it found with us.
"""

import pickle
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from dbos import DBOS

from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.postgres_store import PostgresStore

Sql: TypeAlias = tuple[str, tuple[object, ...]]
"""A statement and its values."""


@dataclass
class TurnPart:
    """A step of a workflow, or what was done between two."""

    step: str = ""
    """The name of the step; empty between two."""

    sql: list[Sql] = field(default_factory=list)
    output: Any = None


@dataclass
class RecordedOrder:
    """A turn as a node sees it."""

    place: str = ""
    workflow: str = ""
    argument: Any = None
    before: list[Sql] = field(default_factory=list)
    after: list[Sql] = field(default_factory=list)


@dataclass
class WorkerRecorder:
    """Records the workflows of a worker."""

    workflows: dict[str, list[TurnPart]] = field(default_factory=dict)

    def listen(self, store: PostgresStore) -> None:
        """Record from now on."""
        listen_to(store, self._take)
        run = DBOS.run_step_async

        async def record(options: Any, work: Callable[[], Awaitable[Any]]) -> Any:
            parts = self.workflows.setdefault(DBOS.workflow_id or "", [TurnPart()])
            parts.append(TurnPart(options["name"]))
            here = parts[-1]
            here.output = await run(options, work)
            parts.append(TurnPart())
            return here.output

        DBOS.run_step_async = record  # type: ignore[method-assign, assignment]

    def _take(self, sql: Sql) -> None:
        workflow = DBOS.workflow_id
        if workflow is not None:
            self.workflows.setdefault(workflow, [TurnPart()])[-1].sql.append(sql)

    def keep(self, path: Path) -> None:
        """Write what was recorded to a file, and begin anew."""
        kept = {name: [one for one in parts if one.step or one.sql] for name, parts in self.workflows.items()}
        path.write_bytes(pickle.dumps(kept))
        self.workflows = {}


@dataclass
class NodeRecorder:
    """Records the orders of a node, by the id of their campaign."""

    orders: dict[object, list[RecordedOrder]] = field(default_factory=dict)

    def listen(self, store: PostgresStore, queue: TurnQueue, campaigns: Mapping[str, object]) -> None:
        """Record from now on; campaigns are known by their places."""
        listen_to(store, self._take)
        order = queue.order_turn

        async def record(job: Any) -> None:
            now = self.orders[campaigns[job.place]][-1]
            now.place, now.workflow, now.argument = job.place, job.workflow, job.to_json()
            await order(job)

        queue.order_turn = record  # type: ignore[method-assign, assignment]

    def begin(self, campaign: object) -> None:
        """A turn begins."""
        self.orders.setdefault(campaign, []).append(RecordedOrder())

    def _take(self, sql: Sql) -> None:
        now = self.orders.get(sql[1][0])
        if now:
            (now[-1].after if now[-1].workflow else now[-1].before).append(sql)

    def keep(self, path: Path) -> None:
        """Write what was recorded to a file, and begin anew."""
        path.write_bytes(pickle.dumps(self.orders))
        self.orders = {}


def listen_to(store: PostgresStore, take: Callable[[Sql], None]) -> None:
    """Hear every statement of a store."""
    database = store.databases[0]
    for name in ("fetch", "write"):
        setattr(database, name, _wrap(getattr(database, name), take))


def _wrap(call: Callable[..., Awaitable[Any]], take: Callable[[Sql], None]) -> Callable[..., Awaitable[Any]]:
    async def recording(statement: str, *values: object) -> Any:
        take((statement, values))
        return await call(statement, *values)

    return recording


def load(path: Path) -> Any:
    """Read a recording."""
    return pickle.loads(path.read_bytes())


def count_bytes(parts: Sequence[TurnPart]) -> int:
    """Bytes of the stored results of a workflow."""
    return sum(len(str(one.output)) for one in parts if one.step)
