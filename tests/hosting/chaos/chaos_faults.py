"""The faults of chaos runs: what is killed, how often, and when it was back.

Each kind goes on until it is cancelled, and leaves everything running.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import TypeAlias

from tests.hosting.chaos.chaos_host import ChaosHost

SETTLE_SECONDS_MAX = 90.0


@dataclass
class Fault:
    """Something that was done to the host."""

    kind: str
    at: float
    ended: float
    """When what was killed was started again."""


@dataclass
class Wrecker:
    """Does it, and keeps the list."""

    host: ChaosHost
    rng: Random
    pace: float = 1.0
    """Multiplies all pauses; small in short runs."""

    faults: list[Fault] = field(default_factory=list)
    absences: list[Fault] = field(default_factory=list)
    """When no worker was there that could take certain turns."""

    async def pause(self, least: float, most: float) -> None:
        """Wait some seconds."""
        await asyncio.sleep(self.rng.uniform(least, most) * self.pace)

    async def strike(self, kind: str, *deeds: Callable[[], object]) -> None:
        """Do something to the host, to its end."""
        begun = monotonic()
        fault = Fault(kind, begun, begun + SETTLE_SECONDS_MAX)
        self.faults.append(fault)

        def work() -> None:
            for deed in deeds:
                deed()

        # Cancelled in the midst of it, half of the host would be missing.
        doing = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            await asyncio.shield(doing)
        finally:
            await asyncio.wait([doing])
            fault.ended = monotonic()


Wreak: TypeAlias = Callable[[Wrecker], Awaitable[None]]


async def kill_workers(wrecker: Wrecker) -> None:
    """Kill -9 a worker every 2 to 10 seconds, and start another."""
    while True:
        await wrecker.pause(2, 10)
        worker = wrecker.rng.choice(wrecker.host.workers)
        await wrecker.strike("worker killed", worker.kill, worker.start)
        if wrecker.pace < 1.0:
            # A pause is shorter than a start then, and nobody would ever work.
            await asyncio.to_thread(worker.wait_working)


async def restart_postgres(wrecker: Wrecker) -> None:
    """Restart or kill PostgreSQL every 5 to 40 seconds."""
    postgres = wrecker.host.postgres
    while True:
        await wrecker.pause(5, 40)
        if wrecker.rng.random() < 0.5:
            await wrecker.strike("PostgreSQL killed", postgres.restart)
        else:
            await wrecker.strike("PostgreSQL restarted", lambda: postgres.restart(signal.SIGINT))


async def lose_redis(wrecker: Wrecker) -> None:
    """Kill Redis, flush it, and cut it off for a minute, in turns."""
    redis = wrecker.host.redis
    while True:
        await wrecker.pause(3, 15)
        await wrecker.strike("Redis killed", redis.restart)
        await wrecker.pause(3, 15)
        await wrecker.strike("Redis flushed", redis.flush)
        await wrecker.pause(3, 15)
        redis.freeze()
        try:
            await wrecker.strike("Redis cut off")
            await asyncio.sleep(60 * wrecker.pace)
        finally:
            redis.thaw()
            wrecker.faults[-1].ended = monotonic()


async def kill_nodes(wrecker: Wrecker) -> None:
    """Kill -9 an API node every 2 to 8 seconds, and start another."""
    while True:
        await wrecker.pause(2, 8)
        node = wrecker.rng.choice(wrecker.host.nodes)
        await wrecker.strike("node killed", node.kill, node.start, node.wait_ready)


async def restart_all(wrecker: Wrecker) -> None:
    """Restart all nodes and workers by SIGTERM, one after the other, again and again."""
    host = wrecker.host
    while True:
        for node in host.nodes:
            await wrecker.pause(2, 5)
            await wrecker.strike("node restarted", node.stop, node.start, node.wait_ready)
        for worker in host.workers:
            await wrecker.pause(2, 5)
            await wrecker.strike("worker restarted", worker.stop, worker.start)


WRECKERS: dict[str, Wreak] = {
    "chaos_workers": kill_workers,
    "chaos_postgres": restart_postgres,
    "chaos_redis": lose_redis,
    "chaos_nodes": kill_nodes,
    "rolling_restart": restart_all,
}
"""By the name of the sweep's part."""
