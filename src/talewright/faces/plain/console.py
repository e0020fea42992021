"""Console: the lines a player types or pipes in, with the output and the words of the interface.

Waiting for a terminal or pipe does not block background work; a file is simply read. It knows neither a lobby
nor a session.
"""

import asyncio
import os
import select
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import PlainWords

READ_BYTES = 65_536
"""Bytes read at once; a terminal returns one line at a time."""

LINE_BYTES_MAX = 1_000_000
"""Maximum bytes of one line; longer ones are read as several."""


class Keyboard:
    """Reads lines."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._handle = _handle_of(source)
        self._bytes = b""
        self._ended = False
        self._waiting: asyncio.Future[bool] | None = None

    async def read(self) -> str | None:
        """Return the next line without its line break; None at the end, or if the player quits."""
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

    @property
    def hears_enter(self) -> bool:
        """Whether `wait_for_enter` works here: at a terminal that can be waited for."""
        return self._handle is not None and os.name == "posix" and os.isatty(self._handle)

    async def wait_for_enter(self) -> None:
        """Wait until Enter is pressed on an empty line; lines with words are kept for later."""
        assert self._handle is not None
        # Anything typed before this is not an answer to it.
        while select.select([self._handle], [], [], 0)[0] and not self._ended:
            self._keep_words(self._handle)
        while not self._ended and await self._wait(self._handle):
            if self._keep_words(self._handle):
                return
        # The terminal is gone, and nobody will press anything.
        await asyncio.get_running_loop().create_future()

    def _keep_words(self, handle: int) -> bool:
        """Read a line that is there, and keep it if it has words; return whether it was empty."""
        data = os.read(handle, READ_BYTES)
        self._ended = not data
        empty = bool(data) and not data.strip()
        self._bytes += b"" if empty else data
        return empty

    def give_up(self) -> None:
        """Make the current read return None."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(False)

    async def _wait(self, handle: int) -> bool:
        """Wait for input; return False if reading was given up."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[bool] = loop.create_future()
        try:
            loop.add_reader(handle, _resolve, waiting)
        except (OSError, NotImplementedError):
            # Plain files are always ready, and some systems cannot wait for a terminal in this way.
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
        if os.name == "nt" and source.isatty():
            # The descriptor has the bytes of the console's code page; only the stream reads every letter.
            return None
        return source.fileno()
    return None


@dataclass(slots=True)
class PlainConsole:
    """Output, keyboard and words."""

    sheet: PlainOutput
    keyboard: Keyboard
    words: PlainWords
    shown: str = ""
    """The start of the story, if it has been shown already."""

    def write(self, *lines: str) -> None:
        """Write lines that belong together."""
        self.sheet.block(lines)

    def tell(self, blocks: Iterable[Iterable[str]]) -> None:
        """Write blocks, separated from each other."""
        for block in blocks:
            self.sheet.block(block)

    async def ask(self) -> str | None:
        """Ask for a line; None if there are no more."""
        self.sheet.prompt(self.words.prompt)
        line = await self.keyboard.read()
        if line is None:
            self.sheet.leave_prompt()
        return line
