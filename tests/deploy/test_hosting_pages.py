"""The pages for hosts, followed word by word: every command of `hosting.md` and `operations.md`, in order.

PostgreSQL and Redis are real. Commands that run until they are stopped run until the end. Images and packages
from elsewhere are left out.
"""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from talewright.play.input_results import ResultKind
from talewright.play.session import wait_for_opening
from talewright.remote.remote_lobby import RemoteLobby
from talewright_testkit.servers.postgres_server import (
    POSTGRES_USER,
    PostgresServer,
    find_postgres_program,
)
from talewright_testkit.servers.redis_server import RedisServer
from talewright_testkit.servers.server_process import HOST
from tests.warm_homes import warm

ROOT = Path(__file__).parents[2]
RUN = ROOT / "docs" / "run"
BLOCK = re.compile(r"^```(?:sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = frozenset({"pip", "docker", "sh"})
LASTING = frozenset({"worker", "serve"})
"""Commands that run until they are stopped."""

CAMPAIGNS = {"mist_harbor-1": "mist_harbor", "lantern_road-1": "lantern_road"}
"""Campaigns of the pages, with their games."""

PLAYED = "chapel_watch"
PUBLIC = "https://play.example.org"
READY_LINES = {"worker": "worker: ready", "serve": "node: "}


@dataclass
class Operator:
    """Somebody who reads a page and types what it shows."""

    folder: Path
    environment: dict[str, str]
    lasting: ExitStack
    processes: list["subprocess.Popen[str]"] = field(default_factory=list)
    owner: str = ""
    node: str = ""
    ran: list[str] = field(default_factory=list)

    def follow(self, page: Path) -> None:
        """Run every command of a page."""
        for block in BLOCK.findall(page.read_text("utf-8")):
            for line in block.splitlines():
                self.type(line)

    def type(self, line: str) -> None:
        """Run one line, as a shell would, with the id of the owner for `ID`."""
        places = {"ID": self.owner, "$DATABASE_URL": self.environment["DATABASE_URL"]}
        if line.startswith("talewright saves "):
            places[PUBLIC] = self.node
        words = [places.get(word, word) for word in shlex.split(line)]
        if words[0] in ELSEWHERE:
            return
        if len(words) == 1 or re.fullmatch(r"[A-Z_]+=.*", words[0], re.DOTALL):
            return
        if words[0] == "talewright" and words[1] in LASTING:
            self._start(words)
            return
        printed = self._run(line, words)
        self.ran.append(line)
        if words[0] == "python":
            self.environment["TALEWRIGHT_SEALING_KEYS"] = printed.strip()
        if words[1:4] == ["admin", "owner", "add"]:
            self.owner, token = find_owner(printed)
            self.environment["TALEWRIGHT_TOKEN"] = token
            # Whoever gets the token can play, until the page replaces it.
            asyncio.run(asyncio.wait_for(play(self.node, token), 90))

    def _program(self, words: list[str]) -> list[str]:
        if words[0] == "talewright":
            return [sys.executable, "-m", "talewright", *words[1:]]
        if words[0] == "python":
            return [sys.executable, *words[1:]]
        return [find_postgres_program(words[0]), *words[1:]]

    def _run(self, line: str, words: list[str]) -> str:
        done = subprocess.run(
            self._program(words),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _start(self, words: list[str]) -> None:
        # The page listens on every address and a fixed port; a test may not.
        words = [f"{HOST}:0" if word.startswith("0.0.0.0:") else word for word in words]
        process = self.lasting.enter_context(lasting(self._program(words), self.folder, self.environment))
        assert process.stdout is not None
        first = process.stdout.readline().strip()
        assert first.startswith(READY_LINES[words[1]]), first
        if words[1] == "serve":
            self.node = "http://" + first.removeprefix("node: ")
        self.processes.append(process)


@contextmanager
def lasting(
    program: list[str], folder: Path, environment: dict[str, str]
) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs until it is stopped."""
    process = subprocess.Popen(program, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def find_owner(printed: str) -> tuple[str, str]:
    """The id and the token that `owner add` prints."""
    found = dict(line.split(": ", 1) for line in printed.splitlines() if ": " in line)
    return found["id"], found["token"]


async def play(node: str, token: str) -> None:
    """Begin a campaign as the owner, and take a turn."""
    lobby = RemoteLobby(node, token)
    try:
        session = await lobby.begin(PLAYED)
        opened = await wait_for_opening(session)
        assert opened is None or opened.kind is ResultKind.COMMITTED
        result = await session.choose((await session.view()).choices[0].id)
        assert result.kind is ResultKind.COMMITTED
        await session.close()
    finally:
        await lobby.close()


@pytest.mark.timeout(400)
def test_a_host_is_set_up_and_operated_as_the_pages_say(
    tmp_path: Path, postgres_server: PostgresServer, redis_url: str, redis_server: RedisServer
) -> None:
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "TALEWRIGHT_HOME": str(warm(tmp_path / "home")),
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONUTF8": "1",
        "PGHOST": HOST,
        "PGPORT": str(postgres_server.port),
        "PGUSER": POSTGRES_USER,
        "DATABASE_URL": postgres_server.url("tales"),
        "REDIS_URL": redis_url,
    }
    environment.pop("TALEWRIGHT_SEALING_KEYS", None)
    (tmp_path / "games").symlink_to(ROOT / "games")
    with ExitStack() as stack:
        operator = Operator(tmp_path, environment, stack)
        stack.callback(postgres_server.drop_database, "tales")
        for campaign, game in CAMPAIGNS.items():
            operator.type(f"talewright play {game} --new --plain --no-git --campaign {campaign}")
        operator.follow(RUN / "hosting.md")
        assert len(operator.processes) == 2
        operator.follow(RUN / "operations.md")
        for process in operator.processes:
            process.send_signal(signal.SIGTERM)
        assert [process.wait(60) for process in operator.processes] == [0, 0]
        assert len(operator.ran) > 10, operator.ran


PAGES = sorted(RUN.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_variable_of_a_command_is_explained(page: Path) -> None:
    """It is a setting of a host, or the page sets it before it is used."""
    settings = set(re.findall(r"^\| `([A-Z_]+)` \|", (RUN / "hosting.md").read_text("utf-8"), re.MULTILINE))
    assert "DATABASE_URL" in settings
    for block in BLOCK.findall(page.read_text("utf-8")):
        for line in block.splitlines():
            assert set(re.findall(r"\$\{?([A-Za-z_]+)", line)) <= settings, line
            settings |= set(re.findall(r"^export ([A-Z_]+)=", line))
