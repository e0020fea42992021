"""A real Redis server for tests, in memory only: it forgets everything when it ends.

It is reachable from this machine only.
"""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from talewright_testkit.servers.server_process import HOST, ServerProcess, find_program, running

REDIS_PACKAGE = "redis-server"
ANSWER_BYTES = 64
CONNECT_SECONDS = 1.0


class RedisServer(ServerProcess):
    """One server without persistence: it is empty after a restart."""

    program = "redis-server"

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        find_program("redis-server", REDIS_PACKAGE)
        super().__init__()
        self._settings = {"save": "", "appendonly": "no", **(settings or {})}

    def make_command(self) -> Sequence[str]:
        """The command line of `redis-server`, with its settings."""
        settings = [part for name, value in self._settings.items() for part in (f"--{name}", value)]
        place = ["--bind", HOST, "--port", str(self.port), "--dir", str(self.folder)]
        return [find_program("redis-server", REDIS_PACKAGE), *place, *settings]

    def is_ready(self) -> bool:
        """Whether it answers a ping."""
        try:
            return self.send("PING").startswith("+PONG")
        except OSError:
            return False

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://{HOST}:{self.port}/0"

    def flush(self) -> None:
        """Forget everything, as a server that lost its memory would."""
        self.send("FLUSHALL")

    def send(self, command: str) -> str:
        """Send one plain command; return the first line of the answer."""
        with socket.create_connection((HOST, self.port), CONNECT_SECONDS) as connection:
            connection.sendall(command.encode() + b"\r\n")
            return connection.recv(ANSWER_BYTES).decode(errors="replace").partition("\r\n")[0]


@contextmanager
def running_redis(settings: Mapping[str, str] | None = None) -> Iterator[RedisServer]:
    """A running server, removed at the end."""
    with running(RedisServer(settings)) as server:
        yield server
