"""A terminal for a program that is watched: its output is read as it comes, and keys are typed into it.

It is a pseudo-terminal and no emulator: what is on the screen is not known here, only what was written.
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Final, Self

CHANNEL: Final = "TERMINAL_CHANNEL"
"""The variable that names the pipe on which the program can tell something beside its output."""

READ_SIZE: Final = 65_536
START_SECONDS: Final = 120.0


class Terminal:
    """One program in a terminal of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int,
        rows: int,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._told, channel = os.pipe()
        self.begun = perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(channel,),
            start_new_session=True,
            env={
                **(os.environ if environment is None else environment),
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                CHANNEL: str(channel),
            },
        )
        os.close(slave)
        os.close(channel)
        self.output = b""
        """What was written since the last key, or since the beginning."""

        self._messages = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)
        os.close(self._told)

    @staticmethod
    def channel() -> int:
        """Within the program: the pipe to tell something on."""
        return int(os.environ[CHANNEL])

    def write(self, keys: str) -> None:
        """Type something; output from now on is what comes after it."""
        self.output = b""
        os.write(self._master, keys.encode())

    def wait_for(self, text: str | bytes, timeout_seconds: float = START_SECONDS) -> float:
        """The moment at which something has come out since the last key."""
        wanted = text.encode() if isinstance(text, str) else text
        end = perf_counter() + timeout_seconds
        while wanted not in self.output:
            left = end - perf_counter()
            assert left > 0, f"{wanted!r} did not come out; the last was {self.output[-400:]!r}"
            self._read(left)
        return perf_counter()

    def drain(self, seconds: float) -> None:
        """Read for some time whatever comes."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            self._read(left)

    def take_told(self) -> str | None:
        """The next line of what the program has told beside its output; None if there is none yet."""
        line, end, rest = self._messages.partition(b"\n")
        if not end:
            return None
        self._messages = rest
        return line.decode()

    def wait_told(self, timeout_seconds: float = START_SECONDS) -> str:
        """The next line of what the program tells beside its output."""
        end = perf_counter() + timeout_seconds
        while (told := self.take_told()) is None:
            left = end - perf_counter()
            assert left > 0, f"nothing was told; the last that came out was {self.output[-2000:]!r}"
            self._read(left)
        return told

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._master, self._told], [], [], seconds)
        if self._told in ready:
            self._messages += os.read(self._told, READ_SIZE)
        if self._master in ready:
            try:
                self.output += os.read(self._master, READ_SIZE)
            except OSError as error:
                raise AssertionError(f"the program has ended: {self.output[-2000:]!r}") from error
