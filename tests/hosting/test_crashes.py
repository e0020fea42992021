"""Workers, PostgreSQL and Redis are killed in mid-turn: no turn is lost, and none is taken twice."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator

import pytest

from talewright.chronicle.records import Accepted
from talewright.hosting.recovery.poison_turns import CRASHES_MAX
from talewright.play.input_results import ResultKind
from talewright.play.news import CommittedNews, DeltaNews, NewsKind, ResetNews
from talewright.play.session import FollowingSession, Stamp
from talewright_testkit.servers.server_process import ServerMissingError
from tests.hosting.crash_grid import TURN_SECONDS_MAX, CrashHost, crash_at, crash_host
from tests.hosting.crash_host import HOLD, PACE, POISON, STORY, open_node
from tests.plays.stage import NOW
from tests.servers import skip_or_fail

pytestmark = pytest.mark.hosted

SLOW_SECONDS = 0.2
"""So that nobody comes too late for a turn."""


@pytest.fixture(scope="module", name="host")
def start_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrashHost]:
    try:
        with crash_host(tmp_path_factory.mktemp("crashes")) as host:
            yield host
    except ServerMissingError as error:
        skip_or_fail(error)


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run an asynchronous test, with a limit."""
    asyncio.run(asyncio.wait_for(work(), 4 * TURN_SECONDS_MAX))


@pytest.mark.parametrize("point", ["after each chunk#9", "before write", "after publish"])
def test_another_worker_finishes_the_turn_of_a_killed_one(host: CrashHost, point: str) -> None:
    async def work() -> None:
        seconds = await crash_at(host, point, "killed-" + point.replace(" ", "-").replace("#", "-"))
        print(f"recovered {seconds:.1f} s after the kill")

    run(work)


def test_a_turn_outlives_the_restart_of_postgres_and_the_loss_of_redis(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("outage") as (_, session):
            texts: list[str] = []
            watching = asyncio.create_task(hear_story(session, 3, texts))
            faults: list[Callable[[], None]] = [
                lambda: host.postgres.restart(signal.SIGINT),
                host.redis.flush,
                lambda: host.redis.restart(),
            ]
            for number, fault in enumerate(faults):
                turn = asyncio.create_task(session.say("I wait", Stamp(f"fault-{number}")))
                await hear_first_words(session)
                await asyncio.to_thread(fault)
                result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
                assert result.kind is ResultKind.COMMITTED, result
            await asyncio.wait_for(watching, TURN_SECONDS_MAX)
            assert [text.strip() for text in texts] == [STORY.strip()] * 3

    run(work)


async def hear_first_words(session: FollowingSession) -> None:
    """Wait until a turn is being told."""
    async for news in session.watch():
        if news.kind in (NewsKind.NARRATION_DELTA, NewsKind.TURN_COMMITTED):
            return


async def hear_story(session: FollowingSession, turns: int, texts: list[str]) -> None:
    """Follow the news until so many turns are told; notes what each has told."""
    text = ""
    async for news in session.watch():
        match news.event:
            case DeltaNews(more):
                text += more
            case ResetNews(whole):
                text = whole
            case CommittedNews():
                texts.append(text)
                text = ""
            case _:
                pass
        if len(texts) == turns:
            return


def test_cancel_and_skip_reach_the_worker_from_any_node(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("wishes") as (_, session), open_node(host.options) as other:
            elsewhere = await other.open("wishes")
            (host.folder / PACE).write_text(str(SLOW_SECONDS), encoding="utf-8")
            turn = asyncio.create_task(session.say("I wait", Stamp("stopped")))
            await hear_first_words(session)
            await elsewhere.cancel()
            result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
            assert (result.kind, result.reason) == (ResultKind.FAILED, "cancelled")
            turn = asyncio.create_task(session.choose("pay", Stamp("skipped")))
            await hear_first_words(session)
            await elsewhere.skip()
            result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
            assert result.kind is ResultKind.COMMITTED
            told = (await session.past.turns(1))[-1]
            assert STORY.strip() not in told.narration
            await elsewhere.close()

    try:
        run(work)
    finally:
        (host.folder / PACE).unlink()


@pytest.mark.timeout(300)
def test_a_turn_that_ends_every_worker_is_given_up_and_the_one_beside_it_is_not(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("deadly") as (_, session), host.session("beside") as (_, other):
            asked = host.count_asks()
            deadly = asyncio.create_task(session.say(POISON, Stamp("deadly")))
            beside = asyncio.create_task(other.say("I wait", Stamp("beside")))
            while not (deadly.done() and beside.done()):
                if not any(worker.is_running for worker in host.workers):
                    await asyncio.to_thread(host.hire)
                await asyncio.wait({deadly, beside}, timeout=0.05)
            result = await deadly
            assert (result.kind, result.reason) == (ResultKind.FAILED, "crashed")
            assert (await beside).kind is ResultKind.COMMITTED
            assert host.count_asks() - asked >= CRASHES_MAX
            # The campaign goes on.
            assert (await session.say("I wait", Stamp("after"))).kind is ResultKind.COMMITTED

    run(work)


def test_sigterm_finishes_the_running_turn_and_takes_no_other(host: CrashHost) -> None:
    async def work() -> None:
        async with host.session("drained") as (_, session):
            turn = asyncio.create_task(session.say("I wait", Stamp("drained")))
            await hear_first_words(session)
            running = [worker for worker in host.workers if worker.is_running]
            left = await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in running))
            result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
            assert result.kind is ResultKind.COMMITTED
            assert [one["left"] for one in left] == [0] * len(running)
            waiting = asyncio.create_task(session.say("I wait", Stamp("later")))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            await asyncio.to_thread(host.hire)
            assert (await asyncio.wait_for(waiting, TURN_SECONDS_MAX)).kind is ResultKind.COMMITTED

    run(work)


def test_accepted_inputs_become_turns_after_postgres_was_away_for_longer_than_a_call_waits(
    host: CrashHost,
) -> None:
    async def work() -> None:
        for worker in host.workers:
            worker.kill()
        await asyncio.to_thread(host.hire, patience_seconds=0.3)
        async with host.session("away") as (node, session), host.session("stray"):
            (host.folder / HOLD).touch()
            turn = asyncio.create_task(session.say("I wait", Stamp("running")))
            await hear_first_words(session)
            # Another node dies between accepting an input and ordering its turn.
            book = await node.store.open("stray")
            head = (await book.look()).head
            await book.accept(Accepted("stray", "main", head, {"kind": "choose", "choice": "pay"}, NOW))
            await asyncio.to_thread(host.postgres.stop)
            (host.folder / HOLD).unlink()
            await asyncio.sleep(3)
            await asyncio.to_thread(host.postgres.start)
            assert (await asyncio.wait_for(turn, TURN_SECONDS_MAX)).kind is ResultKind.COMMITTED
            async with asyncio.timeout(TURN_SECONDS_MAX):
                while (await book.find("stray")).commit is None:
                    await asyncio.sleep(0.1)
            await book.close()

    run(work)
