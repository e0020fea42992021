"""Executor recovery: a turn of an engine that nobody carries any more is tried again."""

import asyncio
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from talewright.common.json_values import Json
from talewright.hosting.hosting_tables import Heartbeat, HostingTables
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.recovery import executor_recovery
from talewright.hosting.recovery.executor_recovery import IDLE_SECONDS, OUTDATED_SECONDS, ExecutorRecovery
from talewright.hosting.sealed_steps import SealedSteps
from talewright.hosting.turn_jobs import TURNS, TurnJob
from talewright.hosting.turn_queue import TurnQueue, WorkflowState
from talewright.stores.postgres.sealing import parse_keys
from talewright.turn.turn_context import StepWork

NAME = "operation/ask 1"
JOB = TurnJob("ann", "harbor", "operation", "base", 0)
OLD_KEYS, NEW_KEYS = parse_keys("k1:" + "A" * 43 + "="), parse_keys("k2:" + "A" * 43 + "=")


class OutdatedQueue:
    """A queue with one turn of an old engine, whose step was sealed with the old key."""

    def __init__(self, stored: list[tuple[str, Json]]) -> None:
        self.stored = stored
        self.removed: list[str] = []

    async def list_running(self, executors: object = ()) -> list[WorkflowState]:
        return []

    async def list_open(self, versions: list[str]) -> list[WorkflowState]:
        assert versions == ["old"]
        return [WorkflowState(JOB.workflow, True, "gone", "old", TURNS, JOB.to_json())]

    async def read_steps(self, workflow: str) -> list[tuple[str, Json]]:
        return self.stored

    async def remove(self, workflows: list[str]) -> None:
        self.removed += workflows

    async def remove_ended(self, age_seconds: float) -> int:
        return 0


class OneWorker:
    """Tables in which one worker of the new engine is alive."""

    def __init__(self) -> None:
        self._beats = count()

    async def list_heartbeats(self) -> list[Heartbeat]:
        return [Heartbeat("me", "new", next(self._beats))]

    async def fetch(self, statement: str, *arguments: object) -> list[dict[str, str]]:
        """One workflow is bound to the old engine, and has begun."""
        return [{"version": "old"}] if statement.lstrip().startswith("select") else []

    async def drop_old_wishes(self, age_seconds: float) -> None:
        pass

    async def drop_old_crashes(self, age_seconds: float) -> None:
        pass

    async def note_crashes(self, lost: list[tuple[str, str, str]]) -> dict[str, int]:
        return {}


async def seal_step() -> tuple[str, Json]:
    """A step as it is stored."""
    kept: list[Json] = []

    async def keep(name: str, step: StepWork) -> Json:
        kept.append(await step())
        return kept[0]

    async def tell() -> Json:
        return {"value": "a reply"}

    nothing = OutdatedQueue([])
    await SealedSteps(JOB.workflow, nothing.read_steps, OLD_KEYS.seal_for(b""), keep).call(NAME, tell)
    return NAME, kept[0]


@pytest.mark.parametrize(("keys", "readable"), [(OLD_KEYS, True), (NEW_KEYS, False)])
def test_an_outdated_turn_is_tried_again_even_if_its_steps_cannot_be_opened(
    monkeypatch: pytest.MonkeyPatch, keys: Any, readable: bool
) -> None:
    settled: list[Any] = []

    async def settle(parts: object, queue: object, argument: object, steps: object) -> None:
        settled.append((argument, steps))

    monkeypatch.setattr(executor_recovery, "settle_outdated", settle)

    async def run() -> None:
        step = await seal_step()
        queue = OutdatedQueue([step])
        parts = WorkerParts(
            store_of=cast(Any, None),
            news_of=cast(Any, None),
            editions=cast(Any, None),
            now=str,
            new_id=str,
            seal=keys.seal_for(b""),
        )
        tables = cast(HostingTables, OneWorker())
        recovery = ExecutorRecovery("me", "new", parts, cast(TurnQueue, queue), tables)
        await recovery.recover(0.0)
        assert not queue.removed
        await recovery.recover(OUTDATED_SECONDS)
        assert queue.removed == [JOB.workflow]
        steps = [(NAME, {"value": "a reply"})] if readable else []
        assert settled == [(JOB.to_json(), steps)]

    asyncio.run(run())


def test_the_page_says_how_long_a_turn_waits_for_its_engine() -> None:
    page = Path(__file__).parents[3] / "docs" / "run" / "hosting.md"
    told = f"after {OUTDATED_SECONDS:.0f} seconds another engine runs it from the start"
    assert told in page.read_text("utf-8")


class TakenQueue(OutdatedQueue):
    """A queue with two turns that this worker has taken."""

    def __init__(self) -> None:
        super().__init__([])
        self.resumed: list[str] = []

    async def list_running(self, executors: object = ()) -> list[WorkflowState]:
        assert executors == ["me"]
        return [WorkflowState(name, True, "me", "new", TURNS, None) for name in ("idle", "active")]

    async def resume(self, lost: list[WorkflowState]) -> None:
        self.resumed += [one.workflow for one in lost]


def test_what_a_worker_has_taken_but_does_not_run_is_put_back() -> None:
    async def run() -> None:
        queue, tables = TakenQueue(), cast(HostingTables, OneWorker())
        parts = WorkerParts(
            store_of=cast(Any, None), news_of=cast(Any, None), editions=cast(Any, None), now=str, new_id=str
        )
        recovery = ExecutorRecovery("me", "new", parts, cast(TurnQueue, queue), tables, {"active"})
        # It may only be about to start.
        await recovery.resume_idle(0.0)
        await recovery.resume_idle(IDLE_SECONDS - 1)
        assert not queue.resumed
        await recovery.resume_idle(IDLE_SECONDS)
        assert queue.resumed == ["idle"]

    asyncio.run(run())


class AwayTables:
    """Tables of a database that does not answer at first."""

    def __init__(self) -> None:
        self.asked = 0
        self.answers = asyncio.Event()

    async def try_lead(self) -> None:
        self.asked += 1
        if self.asked == 1:
            raise ConnectionError("the database is restarted")
        self.answers.set()


def test_a_database_that_does_not_answer_is_asked_again_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(executor_recovery, "LOOK_SECONDS", 0.001)

    async def run() -> None:
        tables, nothing = AwayTables(), cast(Any, None)
        queue = cast(TurnQueue, TakenQueue())
        recovery = ExecutorRecovery("me", "new", nothing, queue, cast(HostingTables, tables), set())
        recovering = asyncio.create_task(recovery.recover_forever())
        async with asyncio.timeout(20):
            await tables.answers.wait()
        recovering.cancel()
        with suppress(asyncio.CancelledError):
            await recovering

    asyncio.run(run())
    lines = [record.getMessage() for record in caplog.records]
    assert lines == ["the database does not answer; dead workers are looked for again"]
