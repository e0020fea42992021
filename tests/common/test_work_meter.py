"""The work meter: steps are counted where a limit is set, and end the work at the same step every time."""

import asyncio

import pytest

from talewright.common.work_meter import (
    LOOP_WORK_MAX,
    UNLIMITED,
    LoopLeftError,
    TooMuchWorkError,
    count_work,
    current_meter,
    limit_work,
)


def test_nothing_is_counted_without_a_limit() -> None:
    count_work(10**12)
    assert current_meter() is None


def test_the_limit_may_be_reached_and_not_passed() -> None:
    with limit_work(10) as meter:
        count_work(4)
        count_work(6)
        with pytest.raises(TooMuchWorkError, match="more than 10 steps"):
            count_work(1)
        assert meter.steps == 11
    assert current_meter() is None


def test_without_a_limit_steps_are_only_counted() -> None:
    with limit_work(UNLIMITED) as meter:
        count_work(10**12)
    assert meter.steps == 10**12


def test_work_that_leaves_the_event_loop_is_counted_once() -> None:
    with limit_work(10 * LOOP_WORK_MAX) as meter:
        count_work(5)
        with pytest.raises(LoopLeftError), meter.on_loop():
            count_work(LOOP_WORK_MAX)
        assert (meter.left_loop, meter.steps) == (True, 5)
        count_work(LOOP_WORK_MAX)
        assert meter.steps == LOOP_WORK_MAX + 5


def test_a_limit_below_that_of_the_event_loop_ends_the_work() -> None:
    with limit_work(10) as meter:
        with pytest.raises(TooMuchWorkError), meter.on_loop():
            count_work(11)
        assert not meter.left_loop


def test_every_task_has_its_own_meter() -> None:
    async def work(steps: int) -> int:
        with limit_work(100) as meter:
            for _ in range(steps):
                count_work(1)
                await asyncio.sleep(0)
        return meter.steps

    async def work_together() -> tuple[int, int]:
        three, seven = await asyncio.gather(work(3), work(7))
        return three, seven

    assert asyncio.run(work_together()) == (3, 7)
