"""Processes of a host for tests, forked from one that has imported everything, which is most of starting one.

They are used like those of `subprocess`. A process of another version is never forked: it would have the
modules of this one.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from subprocess import TimeoutExpired

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "talewright.bootstrap.hosting.node_launcher",
        "talewright.bootstrap.hosting.worker_launcher",
        "talewright.bootstrap.provider_factory",
        "talewright.cli.hosting.admin_command",
        "talewright.faces.http.api_app",
        "talewright.faces.http.guards.request_guards",
        "talewright.providers.openai_wire",
        "tests.hosting.chaos.chaos_host",
        "tests.hosting.crash_host",
    ]
)


def _be(work: Callable[[str], None], options: str, output: Connection) -> None:
    """The process: what it prints goes to the one that has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(output.fileno(), 1)
    output.close()
    work(options)


class ForkedProcess:
    """A running process, with the part of `subprocess.Popen` that tests use."""

    def __init__(self, work: Callable[[str], None], options: str) -> None:
        reading, writing = FORKS.Pipe(duplex=False)
        self._process: ForkServerProcess = FORKS.Process(
            target=_be, args=(work, options, writing), daemon=True
        )
        self._process.start()
        writing.close()
        self.stdout = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")
        reading.close()

    @property
    def pid(self) -> int:
        """Its id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; returns its exit code."""
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise TimeoutExpired("a forked process", timeout or 0.0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill -9."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """Wait until it has ended; returns what it has printed since."""
        self.wait(timeout)
        with self.stdout:
            return self.stdout.read(), None
