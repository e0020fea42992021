"""The outage watch: notes when a database or Redis stops answering, and when it is back.

It only looks and reports; whoever needs the server waits for it elsewhere. Each outage is one line in the log
when it begins and one when it ends.
"""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

from talewright.hosting.operations.health_checks import HealthChecks, PartState
from talewright.hosting.operations.host_metrics import DATABASE, REDIS, HostMetrics
from talewright.hosting.operations.json_logs import log_event

WATCH_SECONDS = 5.0
"""How often the servers are asked."""

_LOG = logging.getLogger(__name__)


class OutageWatch:
    """Watches the servers of one process."""

    def __init__(
        self, checks: HealthChecks, metrics: HostMetrics, seconds: Callable[[], float] = monotonic
    ) -> None:
        self._checks = checks
        self._metrics = metrics
        self._seconds = seconds
        self._lost: dict[tuple[str, int], float] = {}
        """Since when each server that does not answer has not."""

    async def watch_forever(self) -> None:
        """Look every few seconds."""
        while True:
            await self.look()
            await asyncio.sleep(WATCH_SECONDS)

    async def look(self) -> None:
        """Look once."""
        found = await self._checks.check()
        for number, state in enumerate(found.databases):
            self._note(DATABASE, number, is_up=state is not PartState.UNREACHABLE)
        self._note(REDIS, 0, is_up=found.redis is PartState.OK)
        for server in (DATABASE, REDIS):
            self._metrics.servers.server_seen(server, is_up=all(name != server for name, _ in self._lost))

    def _note(self, server: str, number: int, *, is_up: bool) -> None:
        """Log that a server was lost, or is back; databases have numbers, as in the settings."""
        key, now = (server, number), self._seconds()
        if is_up and key in self._lost:
            seconds = round(now - self._lost.pop(key), 1)
            log_event(_LOG, "server_back", server=server, number=number, seconds=seconds)
        elif not is_up and key not in self._lost:
            self._lost[key] = now
            log_event(_LOG, "server_lost", logging.ERROR, server=server, number=number)
