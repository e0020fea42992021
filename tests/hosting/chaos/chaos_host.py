"""The host of chaos runs: API nodes and workers as real processes, on a PostgreSQL and a Redis of their own.

The processes run the commands of the page about hosting, `talewright serve --hosted` and `talewright worker`.
They are forked from a server that has imported everything, because a worker that dies every few seconds would
spend its life importing. Only those of another version are started from the beginning.
"""

import asyncio
import faulthandler
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import monotonic, sleep
from typing import TypeAlias

import psycopg

from talewright.bootstrap.hosting.host_admin import open_host_admin
from talewright.cli import main
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.pack.user_folders import UserFolders
from talewright.play.serving.owner_lookup import SingleOwner
from talewright.stores.postgres.connection_retry import Database
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from talewright_testkit.servers.server_process import find_port
from tests.hosting.forked_processes import FORKS
from tests.hosting.page_commands import HOSTING_PAGE, find_line
from tests.warm_homes import warm

TOKEN = "tw_a-token-for-tests-0123456789"
KEY = "k1:" + "A" * 43 + "="
MODEL_KEY = "sk-canary-4be1f7a90c3d"
"""The API key of the model: it is in no log line and in no answer."""

OWNER = "players"
GAME = "endless"
START_SECONDS_MAX = 60.0
IMPORT_SECONDS_MAX = 120.0
"""How much longer a process of another version may take: nothing is imported before it starts."""

STOP_SECONDS_MAX = 90.0
ANSWER_SECONDS_MAX = 30.0
LOG = "log"
NODE = find_line(HOSTING_PAGE, "talewright serve --hosted")
WORKER = find_line(HOSTING_PAGE, "talewright worker")
BIND = "0.0.0.0:8734"
"""Where the node of the page listens."""

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

Command: TypeAlias = "ForkServerProcess | subprocess.Popen[bytes]"

UNFINISHED = """
select (select count(*) from waiting w join campaigns c on c.id = w.campaign where c.removed is null)
    + (select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'PENDING'))
"""


@dataclass(frozen=True)
class Version:
    """A version of Talewright."""

    engine: int = ENGINE_NUMBER
    source: Path | None = None
    """The folder of its modules; None for this tree."""


THIS = Version()


def be_command(environment: dict[str, str], words: Sequence[str], output: str) -> None:
    """The process of a command; it prints into a file of the host's folder, and its log is another one."""
    os.environ.update(environment)
    os.chdir(environment["HOME"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for place, name in ((1, output), (2, LOG)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND), place)
    faulthandler.enable()
    sys.exit(main(words))


def start_command(
    words: Sequence[str], environment: dict[str, str], version: Version = THIS, output: str = LOG
) -> "Command":
    """Start a command of Talewright in the folder of a host."""
    if version == THIS:
        forked = FORKS.Process(target=be_command, args=(environment, words, output), daemon=True)
        forked.start()
        return forked
    assert version.source is not None, "a fork would carry the number of this version"
    folder = Path(environment["HOME"])
    with (folder / output).open("ab") as told, (folder / LOG).open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "talewright", *words],
            cwd=folder,
            env={
                **os.environ,
                **environment,
                "PYTHONPATH": str(version.source),
                "PYTHONFAULTHANDLER": "1",
            },
            stdout=told,
            stderr=log,
        )


def wait_for(process: "Command") -> int | None:
    """Wait until a command has ended; returns its exit code.

    One that does not end in time writes into the log what it is doing, and is aborted.
    """
    if _join(process) is None:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGABRT)
    return _join(process)


def _join(process: "Command") -> int | None:
    """Wait for a limited time; returns the exit code."""
    if isinstance(process, subprocess.Popen):
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS_MAX)
        return process.returncode
    process.join(STOP_SECONDS_MAX)
    return process.exitcode


def ask(port: int, path: str) -> bytes:
    """The answer of a process on this machine. A client of `httpx` would read all certificates first."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS_MAX)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        return connection.getresponse().read()
    finally:
        connection.close()


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

    version: Version = THIS
    options: Sequence[str] = ()
    """More words of its command."""

    process: "Command | None" = None
    _known: frozenset[str] = frozenset()
    """The workers that had begun before."""

    @property
    def words(self) -> list[str]:
        """Its command."""
        line = NODE.replace(BIND, f"127.0.0.1:{self.port}") if self.port else WORKER
        return [*shlex.split(line)[1:], *self.options]

    def start(self) -> None:
        """Start it; a worker takes turns as soon as it can."""
        environment = {**self.host.environment, **self.settings}
        self._known = frozenset() if self.port else self.host.list_working()
        self.process = start_command(self.words, environment, self.version)

    @property
    def is_running(self) -> bool:
        """Whether it was started, and has not ended since."""
        if isinstance(self.process, subprocess.Popen):
            return self.process.poll() is None
        return self.process is not None and self.process.is_alive()

    @property
    def url(self) -> str:
        """Where a node listens."""
        return f"http://127.0.0.1:{self.port}"

    def wait_ready(self) -> None:
        """Wait until a node answers."""
        until = self._find_deadline()
        while True:
            with suppress(OSError, HTTPException):
                ask(self.port, "/api/games")
                return
            assert self.is_running, f"the node has ended: {self.host.log[-2000:]}"
            assert monotonic() < until, f"the node does not answer: {self.host.log[-2000:]}"
            sleep(0.05)

    def wait_working(self) -> None:
        """Wait until a worker that was just started gives signs of life, the first as soon as it begins."""
        until = self._find_deadline()
        while not self.host.list_working() - self._known:
            assert self.is_running, f"the worker has ended: {self.host.log[-2000:]}"
            assert monotonic() < until, f"the worker does not begin: {self.host.log[-2000:]}"
            sleep(0.1)

    def _find_deadline(self) -> float:
        return monotonic() + START_SECONDS_MAX + (0.0 if self.version == THIS else IMPORT_SECONDS_MAX)

    def kill(self) -> None:
        """Kill -9; does nothing the second time."""
        if self.process is not None:
            self.process.kill()
            self.wait_ended()

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
        return self.wait_ended()

    def wait_ended(self) -> int | None:
        """Wait until it has ended; returns its exit code."""
        assert self.process is not None
        return wait_for(self.process)


@dataclass
class ChaosHost:
    """All of it."""

    folder: Path
    postgres: PostgresServer
    redis: RedisServer
    provider_url: str
    nodes: list[HostProcess] = field(default_factory=list)
    workers: list[HostProcess] = field(default_factory=list)
    keys: str = KEY
    """The sealing keys."""

    database_url: str = ""

    def __post_init__(self) -> None:
        self.database_url = self.database_url or self.postgres.url(self.postgres.create_database())
        warm(self.folder)
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
            "TALEWRIGHT_SEALING_KEYS": self.keys,
            "TALEWRIGHT_MODEL": "local/m",
            "TALEWRIGHT_BASE_URL": f"{self.provider_url}/v1",
            "TALEWRIGHT_API_KEY": MODEL_KEY,
            "TALEWRIGHT_MODEL_SERVERS": f"{self.provider_url}=127.0.0.1",
            "TALEWRIGHT_HOME": str(self.folder),
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

    def check_running(self) -> None:
        """Raise AssertionError if a process has ended by itself."""
        for one in (*self.nodes, *self.workers):
            assert one.is_running, f"{one.words} has ended: {self.log[-2000:]}"

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
        path = self.folder / LOG
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
