"""A real PostgreSQL server for tests, in a temporary folder, with a fresh database for every test.

Access is by trust and from this machine only.
"""

import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from talewright_testkit.servers.server_process import (
    HOST,
    ServerProcess,
    ServerStartError,
    find_program,
    running,
)

POSTGRES_PACKAGE = "postgresql-15"
POSTGRES_FOLDERS = tuple(f"/usr/lib/postgresql/{version}/bin" for version in (15, 16, 17, 18))
"""Where Debian installs the server's programs, which are not on the path."""

POSTGRES_USER = "talewright"
CONNECTIONS_MAX = 400

FAST = {"fsync": "off", "full_page_writes": "off"}
"""These settings matter only if the whole machine crashes; a killed server loses nothing that it
acknowledged.
"""

DURABLE: Mapping[str, str] = {}
"""PostgreSQL's own defaults, for benchmarks."""

_STARTUP = bytes.fromhex("00000008 04d2162f")
"""A TLS request, which a running server answers with one letter."""


def find_postgres_program(name: str) -> str:
    """The path of `postgres`, `initdb`, `psql`, `pgbench` or `pg_dump`; raises ServerMissingError."""
    return find_program(name, POSTGRES_PACKAGE, *POSTGRES_FOLDERS)


class PostgresServer(ServerProcess):
    """One cluster of databases."""

    program = "postgres"

    def __init__(self, settings: Mapping[str, str] = FAST) -> None:
        find_postgres_program("postgres")
        super().__init__()
        self._settings = {
            "listen_addresses": HOST,
            "unix_socket_directories": "",
            "max_connections": str(CONNECTIONS_MAX),
            "log_min_messages": "warning",
            **settings,
        }
        self._names = count(1)
        self.run(
            [
                find_postgres_program("initdb"),
                *("--pgdata", str(self.folder / "data"), "--username", POSTGRES_USER, "--auth", "trust"),
                *("--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ]
        )

    def make_command(self) -> Sequence[str]:
        """The command line of `postgres`, with its settings."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        folder = str(self.folder / "data")
        return [find_postgres_program("postgres"), "-D", folder, "-p", str(self.port), *settings]

    def is_ready(self) -> bool:
        """Whether it answers queries; a server that is still recovering does not."""
        try:
            with socket.create_connection((HOST, self.port), 1.0) as probe:
                probe.sendall(_STARTUP)
                if not probe.recv(1):
                    return False
            return self.query("select 1").strip() == "1"
        except (OSError, ServerStartError):
            return False

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it; SIGINT ends open connections, SIGTERM waits for them."""
        super().stop(how)

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{POSTGRES_USER}@{HOST}:{self.port}/{database}"

    def query(self, statement: str, database: str = "postgres") -> str:
        """Run one statement with `psql`; return its rows, one per line, without headings."""
        command = [find_postgres_program("psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement]
        return self.run([*command, self.url(database)])

    def create_database(self, template: str = "template0") -> str:
        """Create a fresh database, or a copy of one that nobody is connected to, and return its name."""
        name = f"test_{next(self._names)}"
        self.query(f'create database "{name}" template "{template}"')
        return name

    def drop_database(self, name: str) -> None:
        """Delete a database, and end its connections."""
        self.query(f'drop database if exists "{name}" with (force)')

    def dump(self, database: str) -> str:
        """All data of a database, as `pg_dump` writes it."""
        return self.run([find_postgres_program("pg_dump"), self.url(database)])


@contextmanager
def running_postgres(settings: Mapping[str, str] = FAST) -> Iterator[PostgresServer]:
    """A running server, removed at the end."""
    with running(PostgresServer(settings)) as server:
        yield server
