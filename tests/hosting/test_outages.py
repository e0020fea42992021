"""PostgreSQL is away for longer than a call waits: accepted inputs become turns as soon as it is back."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.chronicle.store import StoreAwayError
from talewright.play.input_results import ResultKind
from talewright.play.session import Stamp
from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.crash_grid import TURN_SECONDS_MAX, CrashHost
from tests.hosting.crash_host import HOLD, WORDS, open_node
from tests.hosting.gated_port import gate
from tests.hosting.test_crashes import hear_first_words

pytestmark = pytest.mark.hosted

PATIENCE_SECONDS = 0.3
"""How long a call waits in these tests, instead of 20 seconds."""


@pytest.fixture(name="host")
def make_host(
    tmp_path: Path, postgres_server: PostgresServer, redis_server: RedisServer
) -> Iterator[CrashHost]:
    host = CrashHost(tmp_path, postgres_server, redis_server)
    try:
        yield host
    finally:
        for worker in host.workers:
            worker.kill()


def test_a_turn_is_committed_after_an_outage_without_asking_the_model_again(host: CrashHost) -> None:
    """The campaigns are in another database than the queue, as on a host with several databases."""

    async def work() -> None:
        async with gate(host.postgres.port) as gated:
            address = host.url.replace(f":{host.postgres.port}/", f":{gated.port}/")
            worker = {"campaigns_url": address, "patience_seconds": PATIENCE_SECONDS}
            await asyncio.to_thread(host.hire, **worker)
            async with host.session("outage") as (_, session):
                (host.folder / HOLD).touch()
                before = host.count_asks()
                turn = asyncio.create_task(session.say("I wait", Stamp("during")))
                await hear_first_words(session)
                gated.shut()
                (host.folder / HOLD).unlink()
                # It comes to the commit, and tries several times.
                await asyncio.wait_for(gated.refused.wait(), TURN_SECONDS_MAX)
                await asyncio.sleep(6 * PATIENCE_SECONDS)
                assert not turn.done()
                gated.open()
                result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
                assert result.kind is ResultKind.COMMITTED, result
                assert host.count_asks() - before == 1
                assert WORDS[-1].strip() in (await session.past.turns(1))[-1].narration
                book = session.seat.road.book  # type: ignore[attr-defined]
                assert [one.verdict.value for one in (await book.find("during")).attempts] == ["committed"]
                assert not (await book.look()).waiting

    asyncio.run(asyncio.wait_for(work(), 2 * TURN_SECONDS_MAX))


def test_an_input_that_cannot_be_saved_is_refused_and_leaves_no_trace(host: CrashHost) -> None:
    async def work() -> None:
        await asyncio.to_thread(host.hire)
        async with gate(host.postgres.port) as gated, host.session("refused") as (_, session):
            address = host.url.replace(f":{host.postgres.port}/", f":{gated.port}/")
            node = {**host.options, "database_url": address, "patience_seconds": PATIENCE_SECONDS}
            async with open_node(node) as lobby, await lobby.open("refused") as cut_off:
                gated.shut()
                with pytest.raises(StoreAwayError):
                    await cut_off.say("I wait", Stamp("unsaved"))
                gated.open()
                assert await session.find_operation("unsaved") is None
                # The same input can be sent again.
                result = await asyncio.wait_for(cut_off.say("I wait", Stamp("unsaved")), TURN_SECONDS_MAX)
                assert result.kind is ResultKind.COMMITTED

    asyncio.run(asyncio.wait_for(work(), 2 * TURN_SECONDS_MAX))
