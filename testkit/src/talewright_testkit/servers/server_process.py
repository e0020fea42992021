"""A server process for tests: a free port, a folder of its own, an unprivileged user, kill -9 and restart.

It knows neither PostgreSQL nor Redis, and ends only processes that it started.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import pwd

HOST = "127.0.0.1"
START_SECONDS_MAX = 60.0
"""How long a server may take to answer, recovery after a crash included."""

STOP_SECONDS_MAX = 30.0
"""How long a server may take to stop before it is killed."""

POLL_SECONDS = 0.02
STARTS_MAX = 5
"""How often a start is tried on another port, if another process takes the first."""

Server = TypeVar("Server", bound="ServerProcess")


class ServerMissingError(RuntimeError):
    """The program of a server is not installed."""


class ServerStartError(RuntimeError):
    """A server did not start."""


class ServerProcess:
    """One server: its folder, its port and its process. Subclasses define how it is started and queried."""

    program = ""
    """The program's name, for messages."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"talewright-{self.program}-"))
        self.port = 0
        """Stays the same through every restart."""

        self._process: subprocess.Popen[bytes] | None = None
        self._user = find_user()
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)

    def make_command(self) -> Sequence[str]:
        """The command line of the server."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Whether the server answers."""
        raise NotImplementedError

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._process is not None, f"{self.program} is not running"
        return self._process.pid

    @property
    def log(self) -> str:
        """What the server has printed."""
        path = self.folder / "log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def start(self) -> None:
        """Start the server and wait until it answers; does nothing if it is running."""
        if self._process is not None:
            return
        fixed, self.port = self.port, self.port or find_port()
        for _ in range(STARTS_MAX):
            with open(self.folder / "log", "ab") as log:
                self._process = self._spawn(self.make_command(), log.fileno())
            if self._wait_until_ready():
                return
            self.kill()
            self.port = fixed or find_port()
        raise ServerStartError(f"{self.program} did not start:\n{self.log[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ask the server to stop, and wait; does nothing if it is not running."""
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """Kill -9 the server and its children, without a chance to clean up."""
        if self._process is None:
            return
        children = find_children(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._process = None
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            _wait_until_gone(child)

    def restart(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Stop the server with a signal, by default kill -9, and start it again on its port."""
        if how is signal.SIGKILL:
            self.kill()
        else:
            self.stop(how)
        self.start()

    def freeze(self) -> None:
        """Stop the server from answering, without closing any connection, as if its network were cut."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server continue."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, how: signal.Signals) -> None:
        for pid in [self.pid, *find_children(self.pid)]:
            # A child may end at any moment; the others must get the signal all the same.
            with suppress(ProcessLookupError):
                os.kill(pid, how)

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command: Sequence[str]) -> str:
        """Run a program of the server as its user; return what it prints."""
        result = subprocess.run(
            list(command),
            cwd=self.folder,
            capture_output=True,
            text=True,
            user=self._user and self._user.pw_uid,
            group=self._user and self._user.pw_gid,
        )
        if result.returncode:
            raise ServerStartError(f"{command[0]} failed: {result.stderr}")
        return result.stdout

    def _spawn(self, command: Sequence[str], log: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            list(command),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # A Ctrl-C in the terminal is for the tests, not for their servers.
            start_new_session=True,
            user=self._user and self._user.pw_uid,
            group=self._user and self._user.pw_gid,
        )

    def _wait_until_ready(self) -> bool:
        """Whether the server answered before it exited or time ran out."""
        assert self._process is not None
        until = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < until and self._process.poll() is None:
            if self.is_ready():
                return True
            time.sleep(POLL_SECONDS)
        return False


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Start a server, and remove it at the end."""
    try:
        server.start()
        yield server
    finally:
        server.remove()


def find_program(name: str, package: str, *folders: str) -> str:
    """The path of a program; raises ServerMissingError naming the Debian package that contains it."""
    for folder in folders:
        if os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    found = shutil.which(name)
    if found is None:
        raise ServerMissingError(
            f"{name} is not installed; on Debian, install it with `apt-get install {package}`"
        )
    return found


def find_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def find_user() -> "pwd.struct_passwd | None":
    """The user that servers run as if we are root, which PostgreSQL refuses to be; None for ourselves."""
    # Windows has no such module, and every test imports this file.
    import pwd

    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise ServerStartError("PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody`")


def find_children(pid: int) -> list[int]:
    """The children of a process."""
    children = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                status = (entry / "stat").read_text(encoding="utf-8", errors="replace")
                # The name of the program, in brackets, may contain anything.
                if int(status.rpartition(")")[2].split()[1]) == pid:
                    children.append(int(entry.name))
    return children


def _wait_until_gone(pid: int) -> None:
    until = time.monotonic() + STOP_SECONDS_MAX
    while time.monotonic() < until:
        try:
            status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        if status.rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(POLL_SECONDS)
