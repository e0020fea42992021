"""The processes of both sides: each runs rounds when it is told to, and says what they cost.

`python -m bench.hosted.side_process ROLE URL REDIS_URL CAMPAIGNS` is started by `SideProcess`.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from dbos import DBOS, DBOSClient, DBOSConfig
from redis.asyncio import Redis

from bench.hosted import bare_side
from bench.hosted.our_side import Rounds, TimedScript, open_node, open_worker
from bench.hosted.recorded_turns import load
from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.plain_json_serializer import PlainJsonSerializer
from talewright.hosting.turn_jobs import APPLICATION, TURNS
from talewright.hosting.worker_process import POLL_SECONDS, POOL_SIZE, WorkerSettings
from talewright.stores.postgres import connection_pool


def read_cpu(pid: int) -> float:
    """Seconds of processor that a process has used."""
    try:
        parts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


class SideProcess:
    """One process, as the bench sees it."""

    def __init__(self, role: str, url: str, redis_url: str, campaigns: int) -> None:
        self.role = role
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.hosted.side_process", role, url, redis_url, str(campaigns)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.hear()

    def tell(self, word: str, path: Path, turns: int = 0) -> None:
        """Let it `begin` to count, `run` a round, or `end`."""
        assert self._process.stdin is not None
        print(json.dumps([word, str(path), turns]), file=self._process.stdin, flush=True)

    def hear(self) -> dict[str, Any]:
        """What it answers."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"{self.role} has ended"
        said: dict[str, Any] = json.loads(line)
        return said

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


async def open_bare_worker(url: str, redis_url: str) -> Rounds:
    """DBOS with one queue and one workflow, set up as ours."""
    pool = await bare_side.open_pool(url, connection_pool.POOL_SIZE)
    redis: Any = Redis.from_url(redis_url, decode_responses=True)
    turns: dict[str, Any] = {}
    config: DBOSConfig = {
        "name": APPLICATION,
        "system_database_url": make_database_url(url),
        "sys_db_pool_size": POOL_SIZE,
        "application_version": "1",
        "executor_id": "bare",
        "serializer": PlainJsonSerializer(),
        "enable_otlp": False,
        "log_level": "WARNING",
    }
    DBOS(config=config)

    async def take(argument: dict[str, Any]) -> Any:
        workflow = DBOS.workflow_id or ""
        return await bare_side.take(pool, redis, workflow, turns[workflow])

    DBOS.workflow(name=TURNS)(take)
    DBOS.launch()
    workers = WorkerSettings(url, "").turns_max
    await DBOS.register_queue_async(
        TURNS, partition_concurrency=1, worker_concurrency=workers, polling_interval_sec=POLL_SECONDS
    )

    async def prepare(path: Path, count: int) -> dict[str, Any]:
        turns.clear()
        turns.update(load(path))
        return {}

    return prepare


async def open_bare_node(url: str, redis_url: str) -> Rounds:
    """A client of DBOS that orders turns and waits for them."""
    pool = await bare_side.open_pool(url, connection_pool.POOL_SIZE)
    redis: Any = Redis.from_url(redis_url, decode_responses=True)
    client = DBOSClient(
        system_database_url=make_database_url(url),
        serializer=PlainJsonSerializer(),
        system_database_pool_size=8,
        application_name=APPLICATION,
    )
    waiting: dict[str, asyncio.Event] = {}
    hearing = asyncio.create_task(bare_side.hear(redis, waiting))
    kept: dict[str, Any] = {}

    async def play(turns: list[Any]) -> None:
        for turn in turns:
            done = waiting[turn.workflow] = asyncio.Event()
            await bare_side.order(pool, client, TURNS, turn, done)

    async def run(path: Path, count: int) -> dict[str, Any]:
        if not count:
            kept.update(load(path))
            return {}
        assert not hearing.done()
        await asyncio.gather(*(play(turns) for turns in kept.values()))
        return {}

    return run


async def serve(role: str, url: str, redis_url: str, campaigns: int) -> None:
    """Open the side, and answer until the end."""
    match role:
        case "ours_worker":
            rounds = await open_worker(url, redis_url)
        case "ours_node":
            rounds = await open_node(url, redis_url, campaigns)
        case "bare_worker":
            rounds = await open_bare_worker(url, redis_url)
        case _:
            rounds = await open_bare_node(url, redis_url)
    print("{}", flush=True)
    cpu = begin = 0.0
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, path, turns = json.loads(line)
        if word == "begin":
            cpu, begin, TimedScript.chunk_seconds = process_time(), perf_counter(), 0.0
            said: dict[str, Any] = {}
        elif word == "cost":
            said = {"cpu": process_time() - cpu, "seconds": perf_counter() - begin}
            said["chunks"] = TimedScript.chunk_seconds
        else:
            said = await rounds(Path(path), turns)
        print(json.dumps(said), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
