"""A watched program: the real command in a terminal of its own, whose screen can be read.

It is waited for with deadlines; nobody sleeps.
"""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from rich.cells import cell_len

from tests.cli.desk import CLEARED
from tests.faces.tui.emulator import Emulator
from tests.faces.tui.story.terminal import Terminal
from tests.warm_homes import warm

DEADLINE_SECONDS: Final = 60.0
STEP_SECONDS: Final = 1.0


def make_environment(home: Path, **more: str) -> dict[str, str]:
    """The variables of a user with a home of their own, the games compiled and no models."""
    dropped = {*CLEARED, "NO_COLOR", "TALEWRIGHT_FACE", "COLUMNS", "LINES"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    source = str(Path(__file__).parents[3] / "src")
    return {
        **kept,
        "PYTHONPATH": source,
        "TALEWRIGHT_HOME": str(warm(home)),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "LANG": "C.UTF-8",
        **more,
    }


class Watched(Terminal):
    """The program in a terminal whose screen is known."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        columns: int = 100,
        rows: int = 30,
    ) -> None:
        self.screen = Emulator(columns, rows)
        command = [sys.executable, "-m", "talewright", *words]
        super().__init__(command, columns=columns, rows=rows, environment=environment)

    def _read(self, seconds: float) -> None:
        before = len(self.output)
        super()._read(min(seconds, STEP_SECONDS))
        self.screen.feed(self.output[before:])

    def until(self, met: Callable[[], bool]) -> None:
        """Read until something is so."""
        end = perf_counter() + DEADLINE_SECONDS
        while not met():
            assert perf_counter() < end, f"waited in vain; the screen shows\n{self.screen.text}"
            self._read(STEP_SECONDS)

    def see(self, *words: str) -> None:
        """Read until words stand on the screen."""
        self.until(lambda: all(word in self.screen.text for word in words))

    def click(self, words: str, *, left: int = 0) -> None:
        """Click on words, or so many cells left of them."""
        self.see(words)
        rows = self.screen.text.split("\n")
        y = next(at for at, row in enumerate(rows) if words in row)
        x = cell_len(rows[y][: rows[y].index(words)]) - left
        self.write(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the terminal."""
        self.screen.resize(columns, rows)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._process.send_signal(signal.SIGWINCH)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        assert self._process.wait(DEADLINE_SECONDS) == -signal.SIGKILL

    def leave(self) -> int:
        """Press the key that leaves; the exit code."""
        self.write("\x11")
        return self.wait_for_end()

    def wait_for_end(self) -> int:
        """Read until it has ended; the exit code."""
        end = perf_counter() + DEADLINE_SECONDS
        while self._process.poll() is None:
            assert perf_counter() < end, f"it does not end; the screen shows\n{self.screen.text}"
            try:
                self._read(STEP_SECONDS)
            except AssertionError:
                # The terminal is closed when the program has ended.
                break
        return self._process.wait(DEADLINE_SECONDS)


def run_command(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Another command of the same program, to its end; what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "talewright", *words],
        env={**environment},
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=True,
    )
    return done.stdout
