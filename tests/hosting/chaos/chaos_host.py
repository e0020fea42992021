"""The host of chaos runs: API nodes and workers as real processes, on a PostgreSQL and a Redis of their own.

The processes run the launchers of `talewright serve --hosted` and `talewright worker`. They are forked from a
server that has imported everything, because a worker that dies every few seconds would spend its life
importing.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import monotonic, sleep

import httpx
import psycopg

from talewright.bootstrap.hosting.host_admin import open_host_admin
from talewright.bootstrap.hosting.node_launcher import launch_node
from talewright.bootstrap.hosting.worker_launcher import launch_worker
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.pack.user_folders import UserFolders
from talewright.play.serving.owner_lookup import SingleOwner
from talewright.stores.postgres.connection_retry import Database
from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from talewright_testkit.servers.server_process import find_port

TOKEN = "tw_a-token-for-tests-0123456789"
KEY = "k1:" + "A" * 43 + "="
MODEL_KEY = "sk-canary-4be1f7a90c3d"
"""The API key of the model: it is in no log line and in no answer."""

OWNER = "players"
GAME = "endless"
START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 90.0

GAME_FILES = {
    "game.yaml": """game_id: endless
title: Endless
version: 1.0.0
language: en
variables:
  - id: turns
    label: Turns
    type: integer
    min: 0
    max: 1000000
    default: 0
""",
    "world.md": "# The road\n\nIt has no end.\n",
    "intro.md": "You stand on a road without an end.\n",
}
"""Every turn counts, so that one taken twice would show."""

UNFINISHED = """
select (select count(*) from waiting w join campaigns c on c.id = w.campaign where c.removed is null)
    + (select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'PENDING'))
"""

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        "talewright.bootstrap.hosting.node_launcher",
        "talewright.bootstrap.hosting.worker_launcher",
        "talewright.bootstrap.provider_factory",
        "talewright.faces.http.api_app",
        "talewright.faces.http.guards.request_guards",
        "talewright.providers.openai_wire",
        "tests.hosting.chaos.chaos_host",
    ]
)


def be_node(environment: dict[str, str], folder: str, port: int) -> None:
    """The process of an API node."""
    _leave_terminal(environment)
    sys.exit(launch_node(find_places(Path(folder)), environment, bind=f"127.0.0.1:{port}", public_url=""))


def be_worker(environment: dict[str, str], folder: str) -> None:
    """The process of a worker."""
    _leave_terminal(environment)
    places = find_places(Path(folder))
    sys.exit(launch_worker(places, environment, turns_max=64, background_max=16, drain_seconds=30.0))


def _leave_terminal(environment: Mapping[str, str]) -> None:
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log = os.open(Path(environment["HOME"]) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)


def find_places(folder: Path) -> UserFolders:
    """Where the games of the host are."""
    return UserFolders(folder / "saves", folder / "cache", (folder / "games",))


@dataclass
class HostProcess:
    """A node or a worker."""

    host: "ChaosHost"
    port: int = 0
    """Where a node listens; 0 for a worker."""

    settings: Mapping[str, str] = field(default_factory=dict)
    """Variables of this process alone."""

    process: ForkServerProcess | None = None
    _known: frozenset[str] = frozenset()
    """The workers that had begun before."""

    def start(self) -> None:
        """Start it; a worker takes turns as soon as it can."""
        environment, folder = {**self.host.environment, **self.settings}, str(self.host.folder)
        self._known = frozenset() if self.port else self.host.list_working()
        if self.port:
            self.process = _FORKS.Process(target=be_node, args=(environment, folder, self.port), daemon=True)
        else:
            self.process = _FORKS.Process(target=be_worker, args=(environment, folder), daemon=True)
        self.process.start()

    @property
    def url(self) -> str:
        """Where a node listens."""
        return f"http://127.0.0.1:{self.port}"

    def wait_ready(self) -> None:
        """Wait until a node answers."""
        until = monotonic() + START_SECONDS_MAX
        while monotonic() < until:
            with suppress(httpx.TransportError):
                httpx.get(f"{self.url}/api/games", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30)
                return
            sleep(0.05)
        raise TimeoutError(f"the node does not answer: {self.host.log[-2000:]}")

    def wait_working(self) -> None:
        """Wait until a worker that was just started gives signs of life, the first as soon as it begins."""
        until = monotonic() + START_SECONDS_MAX
        while not self.host.list_working() - self._known:
            assert monotonic() < until, f"the worker does not begin: {self.host.log[-2000:]}"
            sleep(0.1)

    def kill(self) -> None:
        """Kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def freeze(self) -> None:
        """SIGSTOP: it does nothing more, and closes no connection."""
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it continue."""
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGCONT)

    def stop(self) -> int | None:
        """SIGTERM, and wait; returns its exit code."""
        assert self.process is not None
        self.process.terminate()
        self.process.join(STOP_SECONDS_MAX)
        return self.process.exitcode


@dataclass
class ChaosHost:
    """All of it."""

    folder: Path
    postgres: PostgresServer
    redis: RedisServer
    provider_url: str
    nodes: list[HostProcess] = field(default_factory=list)
    workers: list[HostProcess] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.database_url = self.postgres.url(self.postgres.create_database())
        game = self.folder / "games" / GAME
        game.mkdir(parents=True)
        for name, text in GAME_FILES.items():
            (game / name).write_text(text, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """The settings of its processes."""
        return {
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis.url,
            "TALEWRIGHT_SEALING_KEYS": KEY,
            "TALEWRIGHT_MODEL": "local/m",
            "TALEWRIGHT_BASE_URL": f"{self.provider_url}/v1",
            "TALEWRIGHT_API_KEY": MODEL_KEY,
            "TALEWRIGHT_MODEL_SERVERS": f"{self.provider_url}=127.0.0.1",
            "HOME": str(self.folder),
        }

    def add_owner(self, owner: str, token: str) -> None:
        """Add an owner whose id and token are known."""

        async def add() -> None:
            database = Database(self.database_url)
            await prepare_owner_tables(database, SingleOwner(owner, token).identity)
            await database.close()

        asyncio.run(add())

    def remove_owner(self, owner: str) -> None:
        """Remove an owner, as an operator does."""

        async def remove() -> None:
            async with open_host_admin(self.environment) as admin:
                await admin.accounts.remove(owner)

        asyncio.run(remove())

    def count_unfinished(self) -> int:
        """Inputs that wait for a turn in a campaign that was not removed, and jobs that have not ended."""
        with psycopg.connect(self.database_url) as connection:
            found = connection.execute(UNFINISHED).fetchone()
        assert found is not None
        return int(found[0])

    def list_working(self) -> frozenset[str]:
        """The workers that have begun to take turns, and were not forgotten since."""
        with psycopg.connect(self.database_url) as connection:
            if connection.execute("select to_regclass('hosting.executors')").fetchone() == (None,):
                return frozenset()
            # The first sign of life comes before the start.
            rows = connection.execute("select executor from hosting.executors where beats > 1").fetchall()
            return frozenset(row[0] for row in rows)

    @property
    def log(self) -> str:
        """What the processes have printed."""
        path = self.folder / "log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


@contextmanager
def chaos_host(folder: Path, provider_url: str, nodes: int = 2, workers: int = 2) -> Iterator[ChaosHost]:
    """A running host; the caller serves the provider."""
    with running_postgres() as postgres, running_redis() as redis:
        host = ChaosHost(folder, postgres, redis, provider_url)
        host.add_owner(OWNER, TOKEN)
        try:
            host.workers += [HostProcess(host) for _ in range(workers)]
            host.nodes += [HostProcess(host, find_port()) for _ in range(nodes)]
            for one in (*host.workers, *host.nodes):
                one.start()
            for node in host.nodes:
                node.wait_ready()
            yield host
        finally:
            for one in (*host.workers, *host.nodes):
                one.kill()
