"""The durable runner: stored steps are found by order or by name, and failures of DBOS are no results."""

import asyncio
import json
import math
from collections.abc import Awaitable
from pathlib import Path

import asyncpg
import pytest
from dbos import error

from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import HeadMovedError
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.hosting.durable_runner import DurableRunner, ExecutionLostError, RecordedSteps
from talewright.hosting.hosting_tables import (
    DEAD_SECONDS,
    GONE_SECONDS,
    HEARTBEATS,
    POOL_SIZE_MAX,
    UNREACHABLE,
    Heartbeat,
    HostingTables,
    is_alive,
)
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.hosting.recovery.executor_recovery import LOOK_SECONDS
from talewright.hosting.recovery.outdated_turns import OUTDATED, make_interrupted
from talewright.llm.reply_chunks import Usage
from talewright.play.sessions.news_bus import NewsBus
from talewright.stores.memory_store import MemoryStore
from talewright.turn.records.commit_body import read_usage
from talewright.turn.turn_context import StepWork, TurnKey
from tests.plays.stage import Shelf

KEY = TurnKey("campaign", "operation")


class FakeWorkflow:
    """Steps by their order, as DBOS stores them."""

    def __init__(self, steps: RecordedSteps | None = None) -> None:
        self.steps: RecordedSteps = steps or []
        self._next = 0

    async def call(self, name: str, step: StepWork) -> Json:
        """Run a step, or return what is stored at its place."""
        place, self._next = self._next, self._next + 1
        if place < len(self.steps):
            if self.steps[place][0] != name:
                raise error.DBOSUnexpectedStepError("workflow", place, name, self.steps[place][0])
            return self.steps[place][1]
        self.steps.append((name, await step()))
        return self.steps[place][1]

    def runner(self) -> DurableRunner:
        """A runner of a new execution."""
        self._next = 0
        return DurableRunner("workflow", self._read, self.call)

    async def _read(self, workflow: str) -> RecordedSteps:
        return list(self.steps)


async def answer(value: Json) -> Json:
    """What a step comes to."""
    return value


def ran(value: Json, runs: list[Json]) -> StepWork:
    """A step that notes that it was run."""

    def step() -> Awaitable[Json]:
        runs.append(value)
        return answer(value)

    return step


def test_another_execution_finds_stored_steps() -> None:
    async def work() -> None:
        workflow = FakeWorkflow()
        runs: list[Json] = []
        for _ in range(2):
            runner = workflow.runner()
            assert await runner.run(KEY, "begin", ran(1, runs)) == 1
            assert await runner.run(KEY, "ask 1", ran([2], runs)) == [2]
        assert runs == [1, [2]]

    asyncio.run(work())


def test_steps_that_are_asked_for_in_another_order_are_found_by_name() -> None:
    async def work() -> None:
        workflow = FakeWorkflow()
        runs: list[Json] = []
        runner = workflow.runner()
        for name in ("a", "b", "c"):
            await runner.run(KEY, name, ran(name, runs))
        # What was finished before the crash is not asked for again.
        runner = workflow.runner()
        for name in ("b", "c", "d"):
            assert await runner.run(KEY, name, ran(name, runs)) == name
        assert runs == ["a", "b", "c", "d"]
        assert [name for name, _ in workflow.steps] == [f"operation/{name}" for name in "abcd"]

    asyncio.run(work())


def test_steps_that_another_execution_stores_meanwhile_are_found_too() -> None:
    async def work() -> None:
        workflow = FakeWorkflow()
        runs: list[Json] = []
        runner = workflow.runner()
        for name in ("a", "b"):
            await runner.run(KEY, name, ran(name, runs))
        runner = workflow.runner()
        assert await runner.run(KEY, "b", ran("b", runs)) == "b"
        # Another execution runs at the same time and is quicker.
        workflow.steps += [("operation/c", {"value": "c"}), ("operation/d", {"value": "d"})]
        assert await runner.run(KEY, "d", ran("d", runs)) == "d"
        assert await runner.run(KEY, "e", ran("e", runs)) == "e"
        assert runs == ["a", "b", "e"]

    asyncio.run(work())


def test_a_failed_step_fails_in_every_execution() -> None:
    async def moved() -> Json:
        raise HeadMovedError("head")

    async def broken() -> Json:
        raise KeyError("thing")

    async def work() -> None:
        workflow = FakeWorkflow()
        runner = workflow.runner()
        with pytest.raises(HeadMovedError):
            await runner.run(KEY, "commit", moved)
        with pytest.raises(KeyError):
            await runner.run(KEY, "ask 1", broken)
        runner = workflow.runner()
        with pytest.raises(HeadMovedError) as found:
            await runner.run(KEY, "commit", moved)
        assert found.value.head == "head"
        with pytest.raises(TalewrightError, match="KeyError"):
            await runner.run(KEY, "ask 1", broken)

    asyncio.run(work())


def test_what_goes_wrong_in_dbos_is_no_failure_of_the_turn() -> None:
    async def refuse(name: str, step: StepWork) -> Json:
        raise ConnectionError("the database is gone")

    async def work() -> None:
        runner = DurableRunner("workflow", FakeWorkflow()._read, refuse)
        with pytest.raises(ExecutionLostError) as found:
            await runner.run(KEY, "begin", ran(1, []))
        assert not isinstance(found.value, Exception)
        # Neither is what DBOS says to an execution that lost its workflow to another.
        assert not issubclass(error.DBOSWorkflowConflictIDError, Exception)

    asyncio.run(work())


def test_only_time_in_which_the_database_answered_counts_against_a_worker(database_url: str) -> None:
    async def work() -> None:
        tables, connection = HostingTables(database_url), await asyncpg.connect(database_url)

        async def beat_after(seconds: float) -> dict[str, bool]:
            """Let worker b give a sign of life so much later; which workers are thought to be alive."""
            await connection.execute(
                "update hosting.answered_time set at = at - $1 * interval '1 s'", seconds
            )
            await tables.beat("b", "3")
            beats = await tables.list_heartbeats()
            return {one.executor: one.silent_seconds < DEAD_SECONDS for one in beats}

        try:
            await tables.beat("a", "3")
            assert await beat_after(0.0) == {"a": True, "b": True}
            # An outage of the database makes nobody look dead, ...
            assert await beat_after(3_600.0) == {"a": True, "b": True}
            # The rest is left for a machine that is slow just now.
            for _ in range(int(DEAD_SECONDS) - 6):
                assert await beat_after(1.0) == {"a": True, "b": True}
            # ... but so much time in which others were heard does; also to a worker that has just begun.
            for _ in range(2):
                await beat_after(2.0)
            assert (await beat_after(2.0))["a"] is False
            await tables.beat("a", "3")
            assert await beat_after(1.0) == {"a": True, "b": True}
        finally:
            await connection.close()
            await tables.close()

    asyncio.run(work())


def test_heartbeats_are_read_without_compiling_the_query(database_url: str) -> None:
    async def work() -> None:
        tables, connection = HostingTables(database_url), await asyncpg.connect(database_url)
        try:
            await tables.beat("a", "3")
            rows = await connection.fetch(f"explain (analyze) {HEARTBEATS.replace('$1', 'true')}")
            assert not [row[0] for row in rows if "JIT" in row[0]]
        finally:
            await connection.close()
            await tables.close()

    asyncio.run(work())


def test_a_leader_whose_connection_was_closed_by_the_server_can_lead_again(database_url: str) -> None:
    """As after a restart of PostgreSQL; otherwise nobody would lead any more after a few of them."""

    async def work() -> None:
        tables, connection = HostingTables(database_url), await asyncpg.connect(database_url)
        try:
            for _ in range(POOL_SIZE_MAX + 1):
                lead = await tables.try_lead()
                assert lead is not None
                await connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and pid != pg_backend_pid()"
                )
                while await lead.is_held():
                    await asyncio.sleep(0.01)
        finally:
            await connection.close()
            await tables.close()

    asyncio.run(work())


def test_a_worker_whose_connection_is_gone_is_missed_sooner(database_url: str) -> None:
    async def work() -> None:
        dying, tables = HostingTables(database_url), HostingTables(database_url)

        async def find_connected() -> dict[str, bool]:
            return {one.executor: one.is_connected for one in await tables.list_heartbeats()}

        try:
            await dying.beat("a", "3")
            await tables.beat("b", "3")
            assert await find_connected() == {"a": True, "b": True}
            # As when the process is killed.
            await dying.close()
            while (await find_connected())["a"]:
                await asyncio.sleep(0.01)
            assert (await find_connected())["b"]
            # A worker that was only cut off is back with its next sign of life, on another connection.
            await dying.beat("a", "3")
            assert await find_connected() == {"a": True, "b": True}
            (heart,) = await tables.fetch("select backend from hosting.executors where executor = 'b'")
            await dying.fetch("select pg_terminate_backend($1)", heart["backend"])
            with pytest.raises(UNREACHABLE):
                await tables.beat("b", "3")
            await tables.beat("b", "3")
            assert await find_connected() == {"a": True, "b": True}
        finally:
            await dying.close()
            await tables.close()

    asyncio.run(work())


def test_silence_is_waited_for_longer_than_a_lost_connection() -> None:
    assert is_alive(Heartbeat("a", "3", DEAD_SECONDS - 0.1))
    assert not is_alive(Heartbeat("a", "3", DEAD_SECONDS))
    assert is_alive(Heartbeat("a", "3", GONE_SECONDS - 0.1, is_connected=False))
    assert not is_alive(Heartbeat("a", "3", GONE_SECONDS, is_connected=False))


def test_a_leader_whose_connection_is_in_disorder_gives_up_the_lead(database_url: str) -> None:
    async def work() -> None:
        tables = HostingTables(database_url)
        try:
            for _ in range(POOL_SIZE_MAX + 1):
                lead = await tables.try_lead()
                assert lead is not None
                assert await lead.is_held()
                assert await tables.try_lead() is None
                # As a connection that broke in the midst of an answer.
                busy = asyncio.create_task(lead._connection.fetchval("select pg_sleep(0.5)"))
                await asyncio.sleep(0.01)
                assert not await lead.is_held()
                with pytest.raises(asyncpg.PostgresConnectionError):
                    await busy
                # Its lock and its place in the pool are free again.
                async with asyncio.timeout(20):
                    while (lead := await tables.try_lead()) is None:
                        await asyncio.sleep(0.01)
                lead.drop()
        finally:
            await tables.close()

    asyncio.run(work())


def test_an_outdated_turn_is_recorded_with_what_it_has_cost() -> None:
    store, bus = MemoryStore(), NewsBus()
    parts = WorkerParts(
        store_of=lambda owner: store,
        news_of=lambda owner: bus,
        editions=Shelf(""),
        now=lambda: "now",
        new_id=lambda: "id",
    )
    accepted = Accepted("op", "main", "base", {"kind": "say", "text": "I wait"}, "at")
    usage = {"input_tokens": 10, "output_tokens": 5, "cached_tokens": 0}
    steps: RecordedSteps = [
        ("op/begin", {"value": {"attempt_id": "attempt", "at": "begun"}}),
        ("op/ask 1", {"value": {"reply": {"text": "half", "usage": usage}, "seconds": 1.0}}),
        ("op/ask 2", {"value": {"reply": {"text": "more", "usage": usage}, "seconds": 1.0}}),
        ("op/ask 3", {"value": {"refused": "budget"}}),
    ]
    made = make_interrupted(accepted, steps, parts)
    assert (made.id, made.at, made.verdict) == ("attempt", "begun", AttemptVerdict.INTERRUPTED)
    assert (made.body["asks"], made.body["reason"]) == (2, OUTDATED)
    assert read_usage(made.body["usage"]) == Usage(20, 10)
    assert make_interrupted(accepted, [], parts).id == "id"


def test_stored_values_are_plain_json_in_ascii() -> None:
    serializer = PlainJsonSerializer()
    value = {"text": "h\u00e9 \ud800 \x00", "list": [1, 2.5, None]}
    text = serializer.serialize(value)
    assert text.isascii()
    assert "\x00" not in text
    assert serializer.deserialize(text) == value


def test_the_pages_say_how_soon_turns_of_dead_workers_continue() -> None:
    root = Path(__file__).parents[2]
    gone, dead = (f"{seconds + LOOK_SECONDS:.0f}" for seconds in (GONE_SECONDS, DEAD_SECONDS))
    killed = json.loads((root / "bench" / "results" / "chaos_workers.json").read_text("utf-8"))
    hosting = (root / "docs" / "run" / "hosting.md").read_text("utf-8")
    operations = (root / "docs" / "run" / "operations.md").read_text("utf-8")
    assert f"after about {gone} seconds, or after about {dead} if the connection" in hosting
    assert f"killed {killed['faults']['worker killed']} workers" in hosting
    assert f"was finished within {math.ceil(killed['recovery_seconds_max'])} seconds" in hosting
    assert f"after about {gone} to {dead} seconds" in operations
