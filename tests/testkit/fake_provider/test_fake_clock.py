"""Clocks: the one moved by hand wakes who has slept long enough, the other is the loop's."""

import asyncio

from talewright_testkit.fake_provider.fake_clock import HandClock, LoopClock


def test_a_hand_moved_clock_wakes_sleepers_in_time() -> None:
    async def run() -> None:
        clock = HandClock(10.0)
        woken: list[float] = []

        async def sleep(seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append(seconds)

        tasks = [asyncio.create_task(sleep(seconds)) for seconds in (3.0, 1.0)]
        await clock.until_someone_sleeps()
        await asyncio.sleep(0)
        clock.advance(2.0)
        await tasks[1]
        assert (clock.now(), woken) == (12.0, [1.0])
        clock.advance(1.0)
        await tasks[0]
        assert woken == [1.0, 3.0]

    asyncio.run(run())


def test_who_is_woken_otherwise_sleeps_no_longer() -> None:
    async def run() -> None:
        clock = HandClock()
        task = asyncio.create_task(clock.sleep(1.0))
        await clock.until_someone_sleeps()
        task.cancel()
        await asyncio.wait({task})
        waiting = asyncio.create_task(clock.until_someone_sleeps())
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(run())


def test_the_loops_clock_goes_on_by_itself() -> None:
    async def run() -> None:
        clock = LoopClock()
        before = clock.now()
        await clock.sleep(0)
        assert clock.now() >= before

    asyncio.run(run())
