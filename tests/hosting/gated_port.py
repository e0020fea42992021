"""A gated port: passes connections on to a server, or cuts and refuses them, for one client alone.

The server itself stays up, so that its other clients notice nothing.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

HOST = "127.0.0.1"
CHUNK_BYTES = 65_536


class GatedPort:
    """A port before that of a server."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._open = True
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.refused = asyncio.Event()
        """Whether somebody came while it was shut."""

    def shut(self) -> None:
        """Cut all connections, and refuse new ones."""
        self._open = False
        for writer in self._writers:
            writer.transport.abort()

    def open(self) -> None:
        """Let everybody pass."""
        self._open = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection."""
        if not self._open:
            self.refused.set()
            writer.transport.abort()
            return
        inner_reader, inner_writer = await asyncio.open_connection(HOST, self._target)
        pair = {writer, inner_writer}
        self._writers |= pair
        try:
            await asyncio.gather(_pass_on(reader, inner_writer), _pass_on(inner_reader, writer))
        finally:
            self._writers -= pair
            for one in pair:
                one.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK_BYTES):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@asynccontextmanager
async def gate(target: int) -> AsyncIterator[GatedPort]:
    """A gated port before a server's, open at first."""
    gated = GatedPort(target)
    server = await asyncio.start_server(gated.serve, HOST, 0)
    gated.port = server.sockets[0].getsockname()[1]
    try:
        yield gated
    finally:
        gated.shut()
        server.close()
        await server.wait_closed()
