"""Supervised tasks: one that ends is started again, counted, and shown in readiness until it works."""

import asyncio
from collections.abc import Callable

from talewright.hosting.operations.health_checks import HealthChecks
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.operations.supervised_tasks import HostTask, SupervisedTasks

NO_REDIS = "redis://127.0.0.1:9/0"


async def wait_until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.005)


def test_a_task_that_ends_is_started_again_and_shown_as_failing() -> None:
    runs: list[bool] = []

    async def run() -> None:
        metrics = HostMetrics()

        async def work() -> None:
            runs.append(metrics.failing_tasks["recovery"])
            if len(runs) == 1:
                raise KeyError("a mistake")
            if len(runs) == 2:
                return
            await asyncio.Event().wait()

        tasks = SupervisedTasks(metrics, pause_seconds=0.01, steady_seconds=0.2)
        tasks.start(HostTask.RECOVERY, work)
        assert tasks.are_running
        await wait_until(lambda: len(runs) == 3)
        assert runs == [False, True, True]
        assert b'talewright_task_failures_total{task="recovery"} 2.0' in metrics.write()
        # Once it has worked for a while, it is well again.
        await wait_until(lambda: not metrics.failing_tasks["recovery"])
        await tasks.stop()
        assert len(runs) == 3
        assert not tasks.are_running

    asyncio.run(run())


def test_stopping_waits_until_the_work_has_ended() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            ended.append("here")

    async def run() -> None:
        tasks = SupervisedTasks()
        tasks.start(HostTask.HEARTBEAT, work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await tasks.stop()
        assert ended == ["here"]

    asyncio.run(run())


def test_a_process_with_a_failing_task_is_degraded_but_in_service() -> None:
    async def run() -> None:
        readiness = await HealthChecks([], NO_REDIS, {"recovery": True, "heartbeat": False}).check()
        form = readiness.to_json()
        assert isinstance(form, dict)
        assert (form["state"], form["tasks"]) == ("degraded", {"heartbeat": "ok", "recovery": "failing"})
        assert readiness.is_ready

    asyncio.run(run())
