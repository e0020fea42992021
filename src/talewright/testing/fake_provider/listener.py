"""The listener: a loopback port that takes connections, refuses them, or lets them hang.

It keeps its port through all of that. What is said over a connection is not its business.
"""

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import TypeAlias

from talewright.testing.fake_provider.http import Reader

HOST = "127.0.0.1"
BACKLOG = 128
FILLERS = 4
"""Connections of our own that fill the queue of a hanging port; a queue of none still holds one or two."""

Accept: TypeAlias = Callable[[Reader, asyncio.StreamWriter], None]


class Listener:
    """One port."""

    def __init__(self, accept: Accept) -> None:
        self._accept = accept
        self._socket = _bind(0)
        self._server: asyncio.Server | None = None
        self._fillers: list[socket.socket] = []
        self.port: int = self._socket.getsockname()[1]

    async def open(self) -> None:
        """Take connections."""
        self._clear()
        loop = asyncio.get_running_loop()
        self._socket = _bind(self.port)
        self._server = await loop.create_server(self._make_protocol, sock=self._socket, backlog=BACKLOG)

    def refuse(self) -> None:
        """Refuse connections: the port is held, but nobody listens."""
        self._clear()
        self._socket = _bind(self.port)

    def hang(self) -> None:
        """Let connections hang: the queue is full, and nobody takes anything out of it."""
        self._clear()
        self._socket = _bind(self.port)
        self._socket.listen(0)
        for _ in range(FILLERS):
            filler = socket.socket()
            filler.setblocking(False)
            self._fillers.append(filler)
            if filler.connect_ex((HOST, self.port)) not in (0, errno.EINPROGRESS):
                break

    def close(self) -> None:
        """Give the port up."""
        self._clear()

    def _clear(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self._socket.close()
        for filler in self._fillers:
            filler.close()
        self._fillers = []

    def _make_protocol(self) -> asyncio.StreamReaderProtocol:
        reader = Reader()

        # A plain function: a coroutine would become a task that complains when the server stops.
        def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._accept(reader, writer)

        return asyncio.StreamReaderProtocol(reader, take)


def _bind(port: int) -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setblocking(False)
    bound.bind((HOST, port))
    return bound
