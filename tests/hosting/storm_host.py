"""A host full of canaries: nodes and a worker as processes, whose game has things that no player may learn.

Each process writes its log to a file and serves its metrics, so that both can be searched.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from talewright.bootstrap import new_id, utc_now
from talewright.bootstrap.hosting.node_launcher import NodeParts, make_node_app, open_lookup
from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND, run_operations
from talewright.bootstrap.mcp_launcher import listen
from talewright.bootstrap.serving.server_launcher import make_server
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.measured_parts import MeasuredApi, measure_worker
from talewright.hosting.owners.ended_sessions import EndedSessions
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.worker_process import WorkerProcess, WorkerSettings, work_until_stopped
from talewright.play.serving.owner_quotas import MemoryQuotaCounts, OwnerQuotas
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, by
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.shards import single_database
from talewright.turn.turn_context import Teller
from talewright_testkit.servers.server_process import find_port
from tests.play.making import HandShelf
from tests.plays.stage import ROOT
from tests.privacy import Narrator, canary_edition
from tests.stores.postgres.stores import KEYS

OPTIONS = "STORM_OPTIONS"
DICE_SECRET = b"CNRYdice0123456789abcdefghijklmn"
"""The secret of all dice: no byte of it may leave."""

SEED = 20_260
UNCOUNTED = MemoryQuotaCounts(OwnerQuotas(streams=None, imports=None, requests=None, bad_tokens=None))
"""The storm is one owner, who sends more than any person."""


def make_shelf() -> HandShelf:
    """The one game."""
    shelf = HandShelf()
    shelf.put(canary_edition())
    return shelf


def hire(owner: str, game: str, campaign: str) -> Teller:
    """A storyteller who handles private things."""
    return Teller(Scripted(Narrator(hash(campaign) ^ SEED), cut=by(40)))


async def open_store(options: dict[str, Any]) -> PostgresStore:
    """Where the campaigns are."""
    return await connect(single_database(options["database_url"]), KEYS)


async def serve(options: dict[str, Any], environment: dict[str, str]) -> None:
    """Be a node until SIGTERM."""
    url, store = options["database_url"], await open_store(options)
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(options["redis_url"]))
    await services.queue.prepare()
    shelf = make_shelf()
    lobby = StoreLobby(
        store=store,
        shelf=shelf,
        now=utc_now,
        new_id=new_id,
        new_secret=lambda: DICE_SECRET,
        hire=partial(hire, ""),
    )

    def lobby_of(owner: str) -> StoreLobby:
        parts = {name: getattr(lobby, name) for name in StoreLobby.__dataclass_fields__}
        return services.host(StoreLobby(**{**parts, "store": store.for_owner(owner)}), owner)

    async with run_operations(environment, "node") as metrics:
        ended = EndedSessions(store.databases[0])
        parts = NodeParts(lobby_of, await open_lookup(store, None), ended, lambda _: shelf.games(), UNCOUNTED)
        with listen("127.0.0.1", 0) as listening:
            port = listening.getsockname()[1]
            app, requests = make_node_app(parts, port, None)
            server = make_server(MeasuredApi(app, metrics), requests)
            metrics.is_serving = lambda: server.started
            with server.capture_signals():
                print(port, flush=True)
                await server.serve(sockets=[listening])
    await services.close()
    await store.close()


async def work(options: dict[str, Any], environment: dict[str, str]) -> None:
    """Be a worker until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    news, store = RedisNews(options["redis_url"]), await open_store(options)
    async with run_operations(environment, "worker") as metrics:
        parts = WorkerParts(
            store_of=store.for_owner,
            news_of=news.for_owner,
            editions=make_shelf(),
            now=utc_now,
            new_id=new_id,
            hire=lambda owner, game, book: hire(owner, game, book.campaign),
            seal=KEYS.seal_for(b""),
        )
        process = WorkerProcess(
            WorkerSettings(options["database_url"], new_id()), measure_worker(parts, metrics)
        )
        metrics.is_serving = lambda: process.is_working
        working = asyncio.create_task(work_until_stopped(process, stopped))
        while not process.is_working and not working.done():
            await asyncio.sleep(0.01)
        print(0, flush=True)
        await working
    os._exit(0)


@dataclass
class StormProcess:
    """A node or a worker."""

    process: "subprocess.Popen[str]"
    log: Path
    operations: str
    """Where its metrics are."""

    port: int = 0

    def count_files(self, *ports: int) -> int:
        """Its open files and sockets, without connections to these ports."""
        process = Path("/proc", str(self.process.pid))
        rows = [line.split() for line in (process / "net/tcp").read_text().splitlines()[1:]]
        apart = {f"socket:[{row[9]}]" for row in rows if int(row[2].split(":")[1], 16) in ports}
        opened = []
        for one in (process / "fd").iterdir():
            with suppress(FileNotFoundError):
                opened.append(os.readlink(one))
        return sum(one not in apart for one in opened)


@dataclass
class StormHost:
    """The processes of a host."""

    database_url: str
    redis_url: str
    nodes: list[StormProcess] = field(default_factory=list)
    workers: list[StormProcess] = field(default_factory=list)

    @property
    def processes(self) -> list[StormProcess]:
        """All of them."""
        return [*self.nodes, *self.workers]


@contextmanager
def storm_process(role: str, folder: Path, name: str, **options: Any) -> Iterator[StormProcess]:
    """Start a process and wait until it works; stopped at the end."""
    operations, log = f"127.0.0.1:{find_port()}", folder / f"{name}.log"
    with log.open("w", encoding="utf-8") as writing:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.hosting.storm_host", role],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
                "PYTHONHASHSEED": "0",
                OPTIONS: json.dumps(options),
                OPERATIONS_BIND: operations,
                "DATABASE_URL": options["database_url"],
                "REDIS_URL": options["redis_url"],
            },
            stdout=subprocess.PIPE,
            stderr=writing,
            text=True,
        )
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert told, log.read_text("utf-8")
        yield StormProcess(process, log, operations, int(told))
    finally:
        process.kill()
        process.communicate()


@contextmanager
def storm_host(folder: Path, database_url: str, redis_url: str) -> Iterator[StormHost]:
    """Two nodes and a worker."""
    host = StormHost(database_url, redis_url)
    shared = {"database_url": database_url, "redis_url": redis_url}
    with ExitStack() as stack:
        for role, found in (("worker", host.workers), ("node", host.nodes), ("node", host.nodes)):
            name = f"{role}-{len(host.processes)}"
            found.append(stack.enter_context(storm_process(role, folder, name, **shared)))
        yield host


if __name__ == "__main__":
    given = json.loads(os.environ[OPTIONS])
    asyncio.run((serve if sys.argv[1] == "node" else work)(given, dict(os.environ)))
