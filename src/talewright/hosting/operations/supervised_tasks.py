"""Supervised tasks: background work of a process that must never end; whatever ends it, it is started again.

Each failure is logged and counted, and readiness shows which tasks are failing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum

from talewright.hosting.operations.json_logs import FIELDS
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver

PAUSE_SECONDS = 1.0
"""How long a task that has failed waits before it starts again."""

STEADY_SECONDS = 30.0
"""How long a task must run after a failure before it counts as working again."""

_LOG = logging.getLogger(__name__)


class HostTask(StrEnum):
    """The background tasks of a host's processes."""

    HEARTBEAT = "heartbeat"
    RECOVERY = "recovery"
    WISHES = "wishes"
    """Hears what players want done with running turns."""

    BUDGETS = "budgets"
    """Settles the reservations of dead workers."""

    NEWS_READER = "news_reader"
    NEWS_WRITER = "news_writer"


class SupervisedTasks:
    """The tasks of one part of a process."""

    def __init__(
        self,
        observer: TurnObserver = SILENT,
        pause_seconds: float = PAUSE_SECONDS,
        steady_seconds: float = STEADY_SECONDS,
    ) -> None:
        self._observer = observer
        self._pause_seconds = pause_seconds
        self._steady_seconds = steady_seconds
        self._tasks: dict[HostTask, asyncio.Task[None]] = {}

    @property
    def are_running(self) -> bool:
        """Whether any were started."""
        return bool(self._tasks)

    def start(self, name: HostTask, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work from now on."""
        self._observer.task_working(name)
        self._tasks[name] = asyncio.create_task(self._supervise(name, work))

    async def stop(self) -> None:
        """End all of them."""
        for task in self._tasks.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = {}

    async def _supervise(self, name: HostTask, work: Callable[[], Awaitable[None]]) -> None:
        failed = False
        while True:
            working = asyncio.ensure_future(work())
            try:
                await asyncio.wait([working], timeout=self._steady_seconds if failed else None)
                if not working.done():
                    self._observer.task_working(name)
                    await asyncio.wait([working])
            finally:
                working.cancel()
                await asyncio.wait([working])
            failure = None if working.cancelled() else working.exception()
            _LOG.error("task_failed", exc_info=failure, extra={FIELDS: {"task": name.value}})
            self._observer.task_failed(name)
            failed = True
            await asyncio.sleep(self._pause_seconds)
