"""The keyboard: lines that a person types, or that come through a pipe.

A terminal or pipe is waited for without holding up the work behind the scenes; a file is simply read.
"""

import asyncio
import os
from contextlib import suppress
from typing import TextIO

READ_BYTES = 65_536
"""Bytes taken at once; a terminal gives a line at a time."""

LINE_BYTES_MAX = 1_000_000
"""Bytes of one line; what is longer is read as several."""


class Keyboard:
    """Where lines come from."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._handle = _handle_of(source)
        self._bytes = b""
        self._ended = False
        self._waiting: asyncio.Future[bool] | None = None

    async def read(self) -> str | None:
        """The next line without its end; None where there are no more, or the player wants to leave."""
        if self._handle is None:
            line = self._source.readline()
            return line.rstrip("\r\n") if line else None
        while b"\n" not in self._bytes and not self._ended and len(self._bytes) < LINE_BYTES_MAX:
            if not await self._wait(self._handle):
                return None
            data = os.read(self._handle, READ_BYTES)
            self._bytes += data
            self._ended = not data
        line_bytes, end, rest = self._bytes.partition(b"\n")
        self._bytes = rest
        if not line_bytes and not end:
            return None
        return line_bytes.decode(self._source.encoding or "utf-8", "replace").rstrip("\r")

    def give_up(self) -> None:
        """Let the line that is waited for be the last one."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(False)

    async def _wait(self, handle: int) -> bool:
        """Until there is something to read; False where it was given up."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[bool] = loop.create_future()
        try:
            loop.add_reader(handle, _resolve, waiting)
        except (OSError, NotImplementedError):
            # Plain files never make one wait, and some machines cannot wait for a terminal in this way.
            return True
        self._waiting = waiting
        try:
            return await waiting
        finally:
            loop.remove_reader(handle)
            self._waiting = None


def _resolve(waiting: asyncio.Future[bool]) -> None:
    if not waiting.done():
        waiting.set_result(True)


def _handle_of(source: TextIO) -> int | None:
    with suppress(OSError, AttributeError, ValueError):
        return source.fileno()
    return None
