"""Workers with two engine numbers side by side, as during an update.

Any of them takes the next turn that it can run, and no turn is told by two engines.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import asyncpg
import pytest

from talewright.chronicle.records import Attempt, AttemptVerdict
from talewright.hosting.operations.host_workers import HostWorkers
from talewright.hosting.recovery.executor_recovery import OUTDATED_SECONDS
from talewright.hosting.recovery.outdated_turns import OUTDATED
from talewright.play.input_results import ResultKind
from talewright.play.session import Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.crash_grid import TURN_SECONDS_MAX, CrashHost
from tests.hosting.crash_host import HOLD, CrashWorker
from tests.hosting.test_crashes import hear_first_words
from tests.plays.stage import ROOT

OLD, NEW = "8", "9"
LATER = ENGINE_NUMBER + 1
ORDER_SECONDS_MAX = 30.0


class LaterWorker(CrashWorker):
    """A worker process with a later engine."""

    def open(self) -> "subprocess.Popen[str]":
        """Start the process: a program of its own, since a forked one would have imported the engine."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.hosting.engine_host"],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
                "WORKER_OPTIONS": json.dumps(dict(self.options)),
            },
            stdout=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(name="host")
def start_host(
    tmp_path: Path, postgres_server: PostgresServer, redis_server: RedisServer
) -> Iterator[CrashHost]:
    host = CrashHost(tmp_path, postgres_server, redis_server)
    host.hire(version=OLD)
    try:
        yield host
    finally:
        for worker in host.workers:
            worker.kill()


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 2 * TURN_SECONDS_MAX))


async def list_versions(host: CrashHost, operation: str) -> list[str]:
    """The engine numbers of the tries of an operation."""
    connection = await asyncpg.connect(host.url)
    try:
        rows = await connection.fetch(
            "select application_version from dbos.workflow_status where workflow_uuid like $1"
            " order by workflow_uuid",
            f"%/{operation}/%",
        )
    finally:
        await connection.close()
    return [row[0] for row in rows]


async def change(host: CrashHost, statement: str) -> None:
    """Change DBOS's tables."""
    connection = await asyncpg.connect(host.url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def list_attempts(node: StoreLobby, campaign: str, operation: str) -> Sequence[Attempt]:
    """The tries of an operation in the record."""
    book = await node.store.open(campaign)
    try:
        return (await book.find(operation)).attempts
    finally:
        await book.close()


def test_each_engine_finishes_what_it_began(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("update") as (_, session):
            (host.folder / HOLD).touch()
            before = host.count_asks()
            turn = asyncio.create_task(session.say("I wait", Stamp("begun-before")))
            await hear_first_words(session)
            await asyncio.to_thread(host.hire, version=NEW)
            assert not turn.done()
            (host.folder / HOLD).unlink()
            assert (await turn).kind is ResultKind.COMMITTED
            assert await list_versions(host, "begun-before") == [OLD]
            # Both take the next turns; one that has ended is not missed.
            host.workers[0].stop()
            assert (await session.say("I wait", Stamp("begun-after"))).kind is ResultKind.COMMITTED
            assert await list_versions(host, "begun-after") == [NEW]
            assert host.count_asks() - before == 2

    run(work)


@pytest.mark.parametrize("leaves", ["nothing", "its version"])
def test_a_newer_worker_that_died_does_not_stop_the_older_ones(host: CrashHost, leaves: str) -> None:
    async def work() -> None:
        async with host.session("rolled-back") as (_, session):
            if leaves == "nothing":
                (await asyncio.to_thread(host.hire, version=NEW)).kill()
            else:
                # It died at once, after DBOS had registered it.
                await change(
                    host,
                    f"insert into dbos.application_versions (version_id, version_name) values ('x', '{NEW}')",
                )
            said = session.say("I wait", Stamp("said-after"))
            assert (await asyncio.wait_for(said, ORDER_SECONDS_MAX)).kind is ResultKind.COMMITTED
            assert await list_versions(host, "said-after") == [OLD]

    run(work)


@pytest.mark.parametrize(("frozen", "taken_by"), [(0, NEW), (1, OLD)])
def test_workers_of_both_engines_take_orders(host: CrashHost, frozen: int, taken_by: str) -> None:
    """Orders wait neither for the newest engine nor for the oldest."""

    async def work() -> None:
        async with host.session("canary") as (_, session):
            await asyncio.to_thread(host.hire, version=NEW)
            process = host.workers[frozen].process
            assert process is not None
            process.send_signal(signal.SIGSTOP)
            assert (
                await asyncio.wait_for(session.say("I wait", Stamp("one")), ORDER_SECONDS_MAX)
            ).kind is ResultKind.COMMITTED
            assert await list_versions(host, "one") == [taken_by]

    run(work)


def test_a_turn_that_no_engine_has_begun_is_open_to_all(host: CrashHost) -> None:
    """A worker died before the first step of a turn: workers of other engines do not wait for its engine."""

    async def work() -> None:
        async with host.session("not-begun") as (_, session):
            host.workers[0].kill()
            turn = asyncio.create_task(session.say("I wait", Stamp("unbegun")))
            while not await list_versions(host, "unbegun"):
                await asyncio.sleep(0.05)
            await change(
                host,
                "update dbos.workflow_status set status = 'PENDING', executor_id = 'gone',"
                f" application_version = '{OLD}' where status = 'ENQUEUED'",
            )
            await asyncio.to_thread(host.hire, version=NEW)
            assert (await asyncio.wait_for(turn, OUTDATED_SECONDS)).kind is ResultKind.COMMITTED
            assert await list_versions(host, "unbegun") == [NEW]

    run(work)


def test_only_a_later_engine_continues_what_it_has_played(
    tmp_path: Path, postgres_server: PostgresServer, redis_server: RedisServer
) -> None:
    host = CrashHost(tmp_path, postgres_server, redis_server)
    later = LaterWorker({**host.options, "engine": LATER})

    async def work() -> None:
        await asyncio.to_thread(later.start)
        async with host.session("played-later") as (node, session):
            await asyncio.to_thread(host.hire)
            for number in range(2):
                said = await asyncio.wait_for(
                    session.say("I wait", Stamp(f"both-{number}")), ORDER_SECONDS_MAX
                )
                assert said.kind is ResultKind.COMMITTED, said
                assert await list_versions(host, f"both-{number}") == [str(LATER)]
            later.kill()
            refused = await asyncio.wait_for(session.say("I wait", Stamp("refused")), TURN_SECONDS_MAX)
            assert (refused.kind, refused.reason) == (ResultKind.FAILED, "newer_format")
            assert "newer version" in refused.message
            (attempt,) = await list_attempts(node, "played-later", "refused")
            assert attempt.verdict is AttemptVerdict.FAILED
            # Other campaigns go on, and this one as soon as the later engine is back.
            async with host.session("never-played-later") as (_, other):
                assert (await other.say("I wait", Stamp("other"))).kind is ResultKind.COMMITTED
            await asyncio.to_thread(later.start)
            said = await asyncio.wait_for(session.say("I wait", Stamp("refused")), TURN_SECONDS_MAX)
            assert said.kind is ResultKind.COMMITTED

    try:
        run(work)
    finally:
        for worker in (*host.workers, later):
            worker.kill()


def test_another_worker_of_the_same_engine_takes_over_from_a_killed_one(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("taken-over") as (node, session):
            (host.folder / HOLD).touch()
            turn = asyncio.create_task(session.say("I wait", Stamp("begun-before")))
            await hear_first_words(session)
            await asyncio.gather(*(asyncio.to_thread(host.hire, version=one) for one in (OLD, NEW)))
            assert not turn.done()
            host.workers[0].kill()
            (host.folder / HOLD).unlink()
            assert (await asyncio.wait_for(turn, TURN_SECONDS_MAX)).kind is ResultKind.COMMITTED
            assert await list_versions(host, "begun-before") == [OLD]
            (attempt,) = await list_attempts(node, "taken-over", "begun-before")
            assert attempt.verdict is AttemptVerdict.COMMITTED

    run(work)


def test_a_turn_whose_engine_is_gone_is_settled_and_tried_again(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("settled") as (node, session):
            (host.folder / HOLD).touch()
            turn = asyncio.create_task(session.say("I wait", Stamp("outdated")))
            await hear_first_words(session)
            await asyncio.to_thread(host.hire, version=NEW)
            assert not turn.done()
            host.workers[0].kill()
            (host.folder / HOLD).unlink()
            assert (await asyncio.wait_for(turn, TURN_SECONDS_MAX)).kind is ResultKind.COMMITTED
            # The old try is gone from DBOS; the record has it.
            assert await list_versions(host, "outdated") == [NEW]
            attempts = await list_attempts(node, "settled", "outdated")
            assert [one.verdict for one in attempts] == [AttemptVerdict.INTERRUPTED, AttemptVerdict.COMMITTED]
            assert attempts[0].body["reason"] == OUTDATED

    run(work)


def test_a_retired_worker_finishes_its_turns_and_ends(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("retired") as (_, session):
            (host.folder / HOLD).touch()
            turn = asyncio.create_task(session.say("I wait", Stamp("begun-before")))
            await hear_first_words(session)
            await asyncio.to_thread(host.hire, version=NEW)
            pool = await asyncpg.create_pool(host.url, min_size=0, max_size=1)
            (retired,) = await HostWorkers(pool).retire(OLD)
            assert retired.jobs == 1
            (host.folder / HOLD).unlink()
            assert (await turn).kind is ResultKind.COMMITTED
            assert await list_versions(host, "begun-before") == [OLD]
            process = host.workers[0].process
            assert process is not None
            assert await asyncio.to_thread(process.wait, 20) == 0
            assert [one.engine for one in await HostWorkers(pool).list()] == [NEW]
            await pool.close()
            assert (await session.say("I wait", Stamp("begun-after"))).kind is ResultKind.COMMITTED

    run(work)
