"""The host of the operator's day: set up from the pages for operators, with their commands.

Its nodes and workers have a role that cannot change the schema, and only workers have the key of the model.
"""

import json
from dataclasses import dataclass, field
from itertools import count
from time import monotonic, sleep
from typing import Any

from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright_testkit.servers.postgres_server import POSTGRES_USER
from talewright_testkit.servers.server_process import HOST, find_port
from tests.hosting.chaos.chaos_host import (
    MODEL_KEY,
    THIS,
    ChaosHost,
    HostProcess,
    Version,
    ask,
    start_command,
    wait_for,
)
from tests.hosting.page_commands import (
    BACKUP_PAGE,
    HOSTING_PAGE,
    OPERATIONS_PAGE,
    find_line,
    find_lines,
    find_settings,
    read_words,
    run_line,
)

DATABASE = "tales"
"""The database of the pages."""

ROLE = "talewright_app"
"""The role of the pages for nodes and workers."""

SERVER = "https://api.example.com"
"""The model server of the page about hosting."""

KEYLESS_NODES_SINCE_ENGINE = 4
"""Nodes of older engines need the key of the model, too."""

READY_SECONDS_MAX = 60.0
WORKER_TASKS = frozenset({"heartbeat", "recovery", "wishes"})
"""Background tasks of every worker."""


@dataclass
class OperatedHost(ChaosHost):
    """Such a host."""

    has_role: bool = False
    """Whether nodes and workers have a role of their own."""

    _commands: "count[int]" = field(default_factory=count)

    def __post_init__(self) -> None:
        self.database_url = self.postgres.url(DATABASE)
        super().__post_init__()
        settings = find_settings(HOSTING_PAGE).replace(SERVER, self.provider_url)
        (self.folder / "settings.toml").write_text(settings, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """The settings of its processes."""
        url = self.database_url
        return {
            "DATABASE_URL": url.replace(f"{POSTGRES_USER}@", f"{ROLE}@") if self.has_role else url,
            "REDIS_URL": self.redis.url,
            "TALEWRIGHT_SEALING_KEYS": self.keys,
            "TALEWRIGHT_MODEL_SERVERS": f"{self.provider_url}={HOST}",
            "TALEWRIGHT_HOME": str(self.folder),
            "HOME": str(self.folder),
        }

    def add_process(self, version: Version = THIS, *, is_node: bool = False) -> HostProcess:
        """A node or a worker that is not started yet."""
        settings = {OPERATIONS_BIND: f"{HOST}:{find_port()}"}
        if is_node and version.engine < KEYLESS_NODES_SINCE_ENGINE:
            settings["MODEL_API_KEY"] = MODEL_KEY
        if is_node:
            process = HostProcess(self, find_port(), settings, version)
            self.nodes.append(process)
        else:
            process = HostProcess(self, settings={**settings, "MODEL_API_KEY": MODEL_KEY}, version=version)
            self.workers.append(process)
        return process

    @property
    def processes(self) -> list[HostProcess]:
        """All nodes and workers."""
        return [*self.nodes, *self.workers]

    def run(self, line: str, version: Version = THIS, **names: str) -> str:
        """Run a command as the operator, whose role owns the database; returns what it printed."""
        operator = {
            **self.environment,
            "DATABASE_URL": self.database_url,
            "SERVER_URL": self.postgres.url(),
            "PGHOST": HOST,
            "PGPORT": str(self.postgres.port),
            "PGUSER": POSTGRES_USER,
            "TALEWRIGHT_JOB_PROCESSES": "1",
        }
        program, *words = read_words(line, operator, names)
        if program != "talewright":
            return run_line(line, self.folder, operator)
        output = f"command-{next(self._commands)}"
        code = wait_for(start_command(words, operator, version, output))
        told = (self.folder / output).read_text("utf-8")
        assert code == 0, f"{line}: {code}\n{told}{self.log[-2000:]}"
        return told

    def administer(self, words: str, version: Version = THIS, **names: str) -> str:
        """Run a command of the page about operations."""
        return self.run(find_line(OPERATIONS_PAGE, f"talewright admin {words}"), version, **names)

    def set_up(self, line: str) -> str:
        """Run a command of the page about hosting."""
        return self.run(find_line(HOSTING_PAGE, line))

    def make_key(self, name: str) -> str:
        """A new sealing key."""
        line = find_line(HOSTING_PAGE, 'python -c "import base64')
        return self.run(line.replace("'k1:'", f"'{name}:'")).strip()

    def add_account(self, label: str, version: Version) -> tuple[str, str]:
        """Add an owner; returns the id and the token."""
        line = find_line(HOSTING_PAGE, "talewright admin owner add").replace("Ann's table", label)
        told = dict(one.split(": ", 1) for one in self.run(line, version).splitlines() if ": " in one)
        return told["id"], told["token"]

    def read_json(self, words: str, **names: str) -> Any:
        """What a command of the page about operations prints for programs."""
        line = find_line(OPERATIONS_PAGE, f"talewright admin {words}")
        return json.loads(self.run(f"{line} --json", THIS, **names))

    def back_up(self) -> None:
        """Write `tales.dump`."""
        for line in find_lines(BACKUP_PAGE, "Back up"):
            self.run(line)

    def restore(self, version: Version) -> str:
        """Restore `tales.dump`; returns what the commands printed."""
        return "".join(self.run(line, version) for line in find_lines(BACKUP_PAGE, "Restore"))

    def dump(self) -> str:
        """Everything in the database, as text."""
        return self.run('pg_dump "$DATABASE_URL"')

    def read_backup(self) -> str:
        """Everything in `tales.dump`, as text."""
        return self.run("pg_restore --file=- tales.dump")

    def wait_until_ready(self) -> None:
        """Wait until all processes are ready, with every background task."""
        for process in self.processes:
            until = monotonic() + READY_SECONDS_MAX
            while (found := read_readiness(process))["state"] != "ready":
                assert monotonic() < until, f"{process.words} is not ready: {found}"
                sleep(0.2)
            if process.version.engine >= ENGINE_NUMBER and not process.port:
                assert found["tasks"].keys() >= WORKER_TASKS, found
                assert set(found["tasks"].values()) == {"ok"}, found


def read_readiness(process: HostProcess) -> dict[str, Any]:
    """What a process says about itself."""
    assert process.is_running, f"{process.words} has ended: {process.host.log[-2000:]}"
    port = int(process.settings[OPERATIONS_BIND].rpartition(":")[2])
    answer = ask(port, "/readyz")
    assert answer.startswith(b"{"), f"{process.words} answers {answer!r}: {process.host.log[-2000:]}"
    found: dict[str, Any] = json.loads(answer)
    return found
