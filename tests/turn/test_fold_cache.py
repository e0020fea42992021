"""The fold cache: what is kept of the newest commits, and that a turn from it is the turn from the store."""

import asyncio

from talewright.turn.fold_cache import FOLDS_MAX, PAST_MAX, FoldCache
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.steps.recalling import recall
from tests.turn.doubles import Trying
from tests.turn.making import ferry, lay_bench


def test_a_held_state_is_kept_until_everybody_has_released_it() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        cache = bench.road.folds
        first = (await bench.head()).id
        cache.hold(first)
        cache.hold(first)
        for number in range(FOLDS_MAX + 1):
            await bench.commit(Choose("wait"), f"op-{number}")
        assert cache.find(first) is not None
        cache.release(first)
        assert cache.find(first) is not None
        cache.release(first)
        assert cache.find(first) is None
        assert cache.find((await bench.head()).id) is not None

    asyncio.run(run())


def test_the_newest_states_are_kept_and_the_rest_is_read() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        cache = bench.road.folds
        first = (await bench.head()).id
        for number in range(FOLDS_MAX):
            await bench.commit(Choose("wait"), f"op-{number}")
        assert cache.find(first) is None
        head = await bench.head()
        known = cache.find(head.id)
        assert known is not None
        fresh = await bench.recall()
        assert known.state == fresh.position.state
        assert len(known.past) <= PAST_MAX
        assert known.past[0] == head
        # What is recalled from it is what a process recalls that remembers nothing.
        warm = await recall(bench.road, "main")
        assert (warm.head, warm.body, warm.position) == (fresh.head, fresh.body, fresh.position)

    asyncio.run(run())


def test_the_secret_is_read_once() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), book=Trying)
        cache = FoldCache()
        secret = await cache.read_secret(bench.book)
        assert secret == await bench.book.secret()
        assert await cache.read_secret(None) == secret  # type: ignore[arg-type]

    asyncio.run(run())


def test_a_secret_that_was_handed_in_is_taken() -> None:
    assert asyncio.run(FoldCache(b"mine").read_secret(None)) == b"mine"  # type: ignore[arg-type]
