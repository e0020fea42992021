"""Workers with two engine numbers side by side, as during an update: no turn is told by two engines."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import asyncpg
import pytest

from talewright.chronicle.records import Attempt, AttemptVerdict
from talewright.hosting.outdated_turns import OUTDATED
from talewright.play.input_results import ResultKind
from talewright.play.session import Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.crash_grid import TURN_SECONDS_MAX, CrashHost
from tests.hosting.crash_host import HOLD
from tests.hosting.test_crashes import hear_first_words

OLD, NEW = "2", "3"


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


async def list_attempts(node: StoreLobby, campaign: str, operation: str) -> Sequence[Attempt]:
    """The tries of an operation in the record."""
    book = await node.store.open(campaign)
    try:
        return (await book.find(operation)).attempts
    finally:
        await book.close()


def test_each_engine_finishes_what_it_began_and_the_newest_takes_the_next(host: CrashHost) -> None:
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
            assert (await session.say("I wait", Stamp("begun-after"))).kind is ResultKind.COMMITTED
            assert await list_versions(host, "begun-after") == [NEW]
            assert host.count_asks() - before == 2

    run(work)


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
