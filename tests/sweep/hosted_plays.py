"""Every play on a host: two API nodes and a worker as processes, on a real PostgreSQL and a real Redis.

An example is a turn. Each request goes to the next node, and the news are cut after every event. Digests and
text must be those of a performance in one process, background work included.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import running_redis
from tests.hosting.hosted_plays import play_host
from tests.plays.scripts import read_plays

PLAYS = tuple(read_plays())

FULL_COUNT = CHUNK = sum(len(play.turns) for play in PLAYS)
"""All plays, once."""

PACE_SECONDS = 0.001


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Perform plays until `count` turns are taken; the seed decides which play comes first."""
    done = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        running_postgres() as postgres,
        running_redis() as redis,
        play_host(
            Path(folder), postgres.url(postgres.create_database()), redis.url, pace_seconds=PACE_SECONDS
        ) as host,
    ):
        for at in range(len(PLAYS)):
            if done >= count:
                break
            done += len(host.perform(PLAYS[(at + seed) % len(PLAYS)]).told)
            if progress:
                progress(done)
    return max(done, count)
