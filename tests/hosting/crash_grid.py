"""The crash grid of a host: a worker is killed -9 at a crash point of a turn, and another one finishes it.

A host here has one worker at a time, so that nobody else takes the turn by chance.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from talewright.chronicle.records import Commit
from talewright.play.input_results import ResultKind
from talewright.play.session import FollowingSession, Stamp, wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import find_secret
from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from tests.hosting.crash_host import DONE, GAME, TRACE, CrashWorker, FerryShelf, open_node

RECOVERY_SECONDS_MAX = 30.0
TURN_SECONDS_MAX = 90.0


@dataclass
class CrashHost:
    """Servers and workers that may be killed."""

    folder: Path
    postgres: PostgresServer
    redis: RedisServer
    workers: list[CrashWorker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.url = self.postgres.url(self.postgres.create_database())

    @property
    def options(self) -> dict[str, Any]:
        """What nodes and workers are given."""
        return {
            "database_url": self.url,
            "redis_url": self.redis.url,
            "asks": str(self.folder / "asks"),
            "plan": str(self.folder / "plan"),
        }

    def hire(self, **options: Any) -> CrashWorker:
        """Start another worker."""
        worker = CrashWorker({**self.options, **options})
        worker.start()
        self.workers.append(worker)
        return worker

    def count_asks(self) -> int:
        """How often the model was asked so far."""
        notes = self.folder / "asks"
        return len(notes.read_text(encoding="utf-8").splitlines()) if notes.exists() else 0

    @asynccontextmanager
    async def session(self, campaign: str) -> AsyncIterator[tuple[StoreLobby, FollowingSession]]:
        """A new campaign on a node, after its opening."""
        async with open_node(self.options) as node:
            session = await node.begin(GAME, campaign=campaign)
            await asyncio.wait_for(wait_for_opening(session), TURN_SECONDS_MAX)
            try:
                yield node, session
                await check_record(node, campaign)
            finally:
                await session.close()


async def check_record(node: StoreLobby, campaign: str) -> None:
    """Every record verifies, and no operation has two commits."""
    book = await node.store.open(campaign)
    secret = await find_secret(book)
    report = await verify(book, editions=FerryShelf(GAME), secret=secret)
    assert report.good, report
    commits = [record.operation_id async for record in book.records() if isinstance(record, Commit)]
    assert len(commits) == len(set(commits))
    await book.close()


@contextmanager
def crash_host(folder: Path) -> Iterator[CrashHost]:
    """A host with one worker."""
    with running_postgres() as postgres, running_redis() as redis:
        host = CrashHost(folder, postgres, redis)
        host.hire()
        try:
            yield host
        finally:
            for worker in host.workers:
                worker.kill()


async def list_points(host: CrashHost, campaign: str) -> list[str]:
    """The crash points that a worker passes in a turn: `point#n` for the n-th time, of many only some."""
    async with host.session(campaign) as (_, session):
        trace = (host.folder / "plan").with_suffix(TRACE)
        trace.touch()
        assert (await session.say("I wait", Stamp("traced"))).kind is ResultKind.COMMITTED
        # The worker goes on a little after the commit.
        await asyncio.sleep(1)
        passed = trace.read_text(encoding="utf-8").split("\n")[:-1]
        trace.unlink()
    counted, listed = Counter(passed), []
    for point in dict.fromkeys(passed):
        times = counted[point]
        listed += [f"{point}#{one}" for one in sorted({1, (times + 1) // 2, times})]
    return listed


async def crash_at(host: CrashHost, point: str, campaign: str) -> float:
    """Take a turn whose worker dies at a point; returns how many seconds later the turn was there."""
    async with host.session(campaign) as (_, session):
        before = host.count_asks()
        plan = host.folder / "plan"
        done = plan.with_suffix(DONE)
        plan.with_suffix(".new").write_text(point, encoding="utf-8")
        plan.with_suffix(".new").rename(plan)
        replacement = asyncio.create_task(asyncio.to_thread(host.hire))
        turn = asyncio.create_task(session.say("I wait", Stamp("one")))
        async with asyncio.timeout(TURN_SECONDS_MAX):
            while not done.exists():
                await asyncio.sleep(0.01)
        killed = monotonic()
        done.unlink()
        await replacement
        ready = monotonic()
        result = await asyncio.wait_for(turn, TURN_SECONDS_MAX)
        # The replacement may have started later than the other died.
        seconds = monotonic() - max(killed, ready)
        assert seconds < RECOVERY_SECONDS_MAX, point
        assert result.kind is ResultKind.COMMITTED, point
        assert host.count_asks() - before <= 2, point
        again = await session.say("I wait", Stamp("one"))
        assert (again.commit, again.repeated) == (result.commit, True), point
    return monotonic() - killed
