"""The shared rate limit: it holds for all nodes, survives their crashes, and the loss of Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from redis.asyncio import Redis

from talewright.hosting.limits import shared_rate_limit
from talewright.hosting.limits.shared_rate_limit import (
    AWAY_SECONDS,
    RedisAbsence,
    SharedLimitProvider,
    SharedRate,
    SharedRateLimit,
)
from talewright.llm.provider import ProviderError, Trouble
from talewright_testkit.servers.redis_server import running_redis
from tests.llm.doubles import REQUEST
from tests.llm.test_rate_limit import Gate

PLACES = "talewright:rate:{storyteller}:places"
LINE, SEEN = "talewright:rate:{storyteller}:line", "talewright:rate:{storyteller}:seen"


class Clock:
    """Seconds that pass when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[Redis]:
    redis = Redis.from_url(url)
    try:
        yield redis
    finally:
        await redis.aclose()


def run_nodes(
    url: str,
    rate: SharedRate,
    use: Callable[[list[SharedRateLimit]], Awaitable[None]],
    lease_seconds: float = 15.0,
) -> None:
    """Three nodes, each with a connection of its own."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            nodes = [await stack.enter_async_context(connect(url)) for _ in range(3)]
            await use([SharedRateLimit(node, "storyteller", rate, lease_seconds) for node in nodes])

    asyncio.run(run())


async def count_inside(nodes: list[SharedRateLimit]) -> tuple[int, int]:
    """Ask on all these nodes at the same time: how many were inside at once at most, and in all."""
    inside = most = done = 0

    async def ask(node: SharedRateLimit) -> None:
        nonlocal inside, most, done
        async with node.place():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.005)
            inside -= 1
            done += 1

    await asyncio.gather(*(ask(node) for node in nodes))
    return most, done


def test_so_many_at_once_on_all_nodes(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        assert await count_inside(nodes * 10) == (4, 30)

    run_nodes(redis_url, SharedRate(4), use)


def test_so_many_per_minute_on_all_nodes(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        for node in nodes[:2]:
            async with node.place():
                pass
        with pytest.raises(ProviderError) as caught:
            async with nodes[2].place(wait_seconds=0.2):
                pass
        assert caught.value.trouble is Trouble.BUSY
        assert caught.value.hint

    run_nodes(redis_url, SharedRate(2, per_minute=2), use)


@pytest.mark.timeout(30)
def test_those_who_wait_are_served_in_the_order_in_which_they_came(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        served: list[int] = []

        async def ask(number: int) -> None:
            async with nodes[number % 3].place():
                served.append(number)
                await asyncio.sleep(0.01)

        async with connect(redis_url) as redis:
            async with nodes[0].place():
                waiting = []
                for number in range(9):
                    waiting.append(asyncio.create_task(ask(number)))
                    while await redis.zcard(LINE) <= number:
                        await asyncio.sleep(0.001)
                # Whoever waits brings along when it first asked, so the line is the same if Redis loses it.
                await redis.delete(LINE, SEEN)
                while await redis.zcard(LINE) < len(waiting):
                    await asyncio.sleep(0.001)
            await asyncio.gather(*waiting)
            assert served == list(range(9))
            assert await redis.zcard(LINE) == await redis.zcard(PLACES) == 0

    run_nodes(redis_url, SharedRate(1), use)


def test_a_dead_node_at_the_head_of_the_line_holds_up_nobody_for_long(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_rate_limit, "LINE_LEASE_SECONDS", 0.5)

    async def use(nodes: list[SharedRateLimit]) -> None:
        async with nodes[0].place():
            # A node that waited and was killed: it asks no more.
            nodes[1]._line["ticket of the dead"] = "0"
            assert await nodes[1]._ask("ticket of the dead") > 0
        async with nodes[2].place(wait_seconds=10):
            pass

    run_nodes(redis_url, SharedRate(1), use)


@pytest.mark.hosted
def test_without_redis_too_the_first_is_served_first() -> None:
    with running_redis() as server:

        async def use(nodes: list[SharedRateLimit]) -> None:
            served: list[int] = []

            async def ask(number: int) -> None:
                async with nodes[0].place():
                    served.append(number)

            server.kill()
            async with nodes[0].place():
                waiting = [asyncio.create_task(ask(number)) for number in range(6)]
                await asyncio.sleep(0.1)
            await asyncio.gather(*waiting)
            assert served == list(range(6))

        run_nodes(server.url, SharedRate(1), use)


def test_a_rate_alone_limits_too(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        # A minute's worth starts at once, and runs together.
        async with nodes[0].place(), nodes[1].place():
            with pytest.raises(ProviderError):
                async with nodes[2].place(wait_seconds=0.1):
                    pass

    run_nodes(redis_url, SharedRate(per_minute=2), use)


def test_the_place_of_a_dead_node_gets_free(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        # A node that took a place and was killed: nobody refreshes it or gives it back.
        assert await nodes[0]._ask("ticket of the dead") == 0
        with pytest.raises(ProviderError):
            async with nodes[1].place(wait_seconds=0.05):
                pass
        async with nodes[1].place(wait_seconds=10):
            pass

    run_nodes(redis_url, SharedRate(1), use, lease_seconds=2.0)


def test_places_are_known_again_after_redis_lost_them(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        async with connect(redis_url) as redis, nodes[0].place():
            await redis.flushall()
            while not await redis.zcard(PLACES):
                await asyncio.sleep(0.01)
            with pytest.raises(ProviderError):
                async with nodes[1].place(wait_seconds=0.05):
                    pass

    run_nodes(redis_url, SharedRate(1), use, lease_seconds=2.0)


def swallow_cancels(call: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """A call that goes on when it is cancelled, as the client of Redis may on Python 3.11."""

    async def answer(*told: object) -> object:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.02)
        return await call(*told)

    return answer


@pytest.mark.timeout(20)
def test_nobody_waits_longer_because_the_client_swallows_cancels(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        nodes[1]._take = swallow_cancels(nodes[1]._take)  # type: ignore[assignment]
        async with nodes[0].place():
            for wait_seconds in (0.01, 0.05, 0.1):
                with pytest.raises(ProviderError):
                    async with nodes[1].place(wait_seconds):
                        pass

    run_nodes(redis_url, SharedRate(1), use)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("is_free", [False, True])
def test_whoever_waits_can_be_cancelled(redis_url: str, is_free: bool) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        asked, take = asyncio.Event(), nodes[1]._take

        async def answer(*told: object) -> object:
            asked.set()
            return await swallow_cancels(take)(*told)

        async def hold() -> None:
            async with nodes[1].place():
                await asyncio.Event().wait()

        async with AsyncExitStack() as stack:
            if not is_free:
                await stack.enter_async_context(nodes[0].place())
            nodes[1]._take = answer  # type: ignore[assignment]
            waiting = asyncio.create_task(hold())
            await asked.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert await nodes[2]._redis.zcard(PLACES) == 0

    run_nodes(redis_url, SharedRate(1), use)


@pytest.mark.timeout(20)
def test_a_place_stays_free_though_a_refresh_was_under_way(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        refreshed = asyncio.Event()
        keep = nodes[0]._keep

        async def answer(*told: object) -> object:
            refreshed.set()
            return await swallow_cancels(keep)(*told)

        nodes[0]._keep = answer  # type: ignore[assignment]
        async with nodes[0].place():
            await refreshed.wait()
        assert await nodes[1]._redis.zcard(PLACES) == 0

    run_nodes(redis_url, SharedRate(1), use, lease_seconds=2.0)


def test_asked_twice_it_takes_one_place(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        # The answer to the first was lost.
        assert [await nodes[0]._ask("ticket") for _ in range(2)] == [0, 0]
        assert await nodes[1]._ask("another") > 0

    run_nodes(redis_url, SharedRate(1), use)


@pytest.mark.hosted
def test_without_redis_each_node_allows_itself_its_share() -> None:
    with running_redis() as server:

        async def use(nodes: list[SharedRateLimit]) -> None:
            async with AsyncExitStack() as stack:
                for node in nodes:
                    async with node.place():
                        pass
                # By now the last one has seen all three.
                server.kill()
                assert await count_inside([nodes[2]] * 8) == (2, 8)
                for _ in range(2):
                    await stack.enter_async_context(nodes[2].place())
                with pytest.raises(ProviderError):
                    async with nodes[2].place(wait_seconds=0.1):
                        pass

        run_nodes(server.url, SharedRate(6), use)


def test_what_is_limited_per_minute_needs_no_place(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        limits = [SharedRateLimit(node._redis, "address", SharedRate(per_minute=3)) for node in nodes]
        assert [await limit.take() for limit in limits] == [0.0, 0.0, 0.0]
        assert 0.0 < await limits[0].take() <= 20.0

    run_nodes(redis_url, SharedRate(1), use)


def test_while_redis_is_away_it_is_left_alone(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        clock = Clock()
        absence, redis = RedisAbsence(clock), nodes[0]._redis
        limit = SharedRateLimit(redis, "address", SharedRate(per_minute=1), absence=absence)
        absence.note()
        assert await limit.take() == 0.0
        # The next one waits no longer than a minute.
        assert 0.0 < await limit.take() <= 60.0
        assert not await redis.keys("talewright:rate:{address}:*")
        clock.now += AWAY_SECONDS
        assert await limit.take() == 0.0
        assert await redis.keys("talewright:rate:{address}:*")

    run_nodes(redis_url, SharedRate(1), use)


def test_a_place_is_kept_for_one_lease_from_its_last_refresh(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease_seconds = 100.0
    monkeypatch.setattr(shared_rate_limit, "REFRESHES", 2_000)

    async def use(nodes: list[SharedRateLimit]) -> None:
        async with connect(redis_url) as redis, nodes[0].place():
            await redis.flushall()
            while not await redis.zcard(PLACES):
                await asyncio.sleep(0.01)
            (ticket,) = nodes[0]._held
            until = await redis.zscore(PLACES, ticket)
            seconds, microseconds = await redis.time()
        assert until is not None
        assert float(until) - (seconds * 1_000 + microseconds / 1_000) <= lease_seconds * 1_000

    run_nodes(redis_url, SharedRate(1), use, lease_seconds)


def test_a_provider_holds_its_place_to_the_end(redis_url: str) -> None:
    async def use(nodes: list[SharedRateLimit]) -> None:
        gate = Gate()
        limited = SharedLimitProvider(gate, nodes[0])
        assert limited.profile is gate.profile

        async def ask() -> None:
            async for _ in limited.stream(REQUEST):
                pass

        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        while not gate.inside:
            await asyncio.sleep(0.001)
        gate.let.set()
        await asyncio.gather(*tasks)
        assert gate.most == 1
        # One that is closed in the middle gives its place back too.
        gate.let.clear()
        task = asyncio.create_task(ask())
        while not gate.inside:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with nodes[1].place(wait_seconds=5):
            pass
        await limited.close()

    run_nodes(redis_url, SharedRate(1), use)
