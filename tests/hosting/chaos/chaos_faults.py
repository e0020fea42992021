"""The faults of chaos runs: what is killed, how often, and when it was back.

Each kind goes on until it is cancelled, and leaves everything running.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from random import Random
from time import monotonic
from typing import Protocol, TypeAlias

from tests.hosting.chaos.chaos_host import TOKEN, ChaosHost
from tests.hosting.chaos.chaos_players import ChaosPlayer, PlayerNotes

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

    async def lose(
        self, kind: str, begin: Callable[[], object], end: Callable[[], object], seconds: float
    ) -> None:
        """Take something away for so many seconds."""
        await self.strike(kind, begin)
        fault = self.faults[-1]
        try:
            await asyncio.sleep(seconds * self.pace)
        finally:
            back = asyncio.ensure_future(asyncio.to_thread(end))
            await asyncio.wait([back])
            fault.ended = monotonic()


class Freezable(Protocol):
    """A process that can be stopped and continued."""

    def freeze(self) -> None:
        """Stop it."""

    def thaw(self) -> None:
        """Continue it."""


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
        await wrecker.lose("Redis cut off", redis.freeze, redis.thaw, 60)


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


async def freeze_all(wrecker: Wrecker) -> None:
    """Stop each process with SIGSTOP for 2 to 40 seconds, one after the other, in any order."""
    host = wrecker.host
    frozen: dict[str, Sequence[Freezable]] = {
        "node frozen": host.nodes,
        "worker frozen": host.workers,
        "PostgreSQL frozen": [host.postgres],
        "Redis cut off": [host.redis],
    }
    while True:
        everybody = [(kind, one) for kind, some in frozen.items() for one in some]
        wrecker.rng.shuffle(everybody)
        for kind, one in everybody:
            await wrecker.pause(2, 8)
            await wrecker.lose(kind, one.freeze, one.thaw, wrecker.rng.uniform(2, 40))


async def lose_databases(wrecker: Wrecker) -> None:
    """Take PostgreSQL and Redis away for 5 to 120 seconds, in turns."""
    host = wrecker.host
    while True:
        for kind, one in (("PostgreSQL away", host.postgres), ("Redis away", host.redis)):
            await wrecker.pause(5, 20)
            await wrecker.lose(kind, one.kill, one.start, wrecker.rng.uniform(5, 120))


async def remove_some(wrecker: Wrecker) -> None:
    """Remove a campaign or an owner in the midst of a turn every 1 to 4 seconds, and often kill all workers.

    So workers take over turns of dead ones whose campaigns or owners are gone.
    """
    workers = wrecker.host.workers
    for number in count():
        await wrecker.pause(1, 4)
        async with _take_doomed_turn(wrecker, f"doomed-{wrecker.rng.getrandbits(32):08x}", number % 2 == 1):
            if wrecker.rng.random() < 0.5:
                deeds = [*(one.kill for one in workers), *(one.start for one in workers)]
                # Until then, nobody can take over anything.
                await wrecker.strike("workers killed", *deeds, workers[-1].wait_working)


@asynccontextmanager
async def _take_doomed_turn(wrecker: Wrecker, name: str, is_owner: bool) -> AsyncIterator[None]:
    """Begin a campaign, and remove it or its owner during a turn; at the end, nobody can reach it."""
    host, token = wrecker.host, f"tw_{name}" if is_owner else TOKEN
    if is_owner:
        await asyncio.to_thread(host.add_owner, name, token)
    player = ChaosPlayer(name, [node.url for node in host.nodes], PlayerNotes(), name, token)
    try:
        await player.begin()
        await player.wait_opened()
        async with asyncio.TaskGroup() as group:
            group.create_task(player.take_doomed(f"{name}-0"))
            await asyncio.sleep(wrecker.rng.uniform(0, 0.5))
            if is_owner:
                await wrecker.strike("owner removed", lambda: host.remove_owner(name))
            else:
                await player.remove()
                await wrecker.strike("campaign removed")
            yield
        await player.wait_gone(HTTPStatus.UNAUTHORIZED if is_owner else HTTPStatus.NOT_FOUND)
    finally:
        await player.close()


WRECKERS: dict[str, Wreak] = {
    "chaos_workers": kill_workers,
    "chaos_postgres": restart_postgres,
    "chaos_redis": lose_redis,
    "chaos_nodes": kill_nodes,
    "chaos_freezes": freeze_all,
    "chaos_outages": lose_databases,
    "chaos_removals": remove_some,
    "rolling_restart": restart_all,
}
"""By the name of the sweep's part."""
