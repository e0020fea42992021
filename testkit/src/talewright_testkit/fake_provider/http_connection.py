"""HTTP/1.1 connections of a fake model server: requests in, whole or chunked answers, resets.

It knows no vendor. Malformed requests end the connection; nothing is guessed.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit

from talewright.common.frozen_values import frozen

HEAD_BYTES_MAX = 65_536
"""Maximum size of the request line and headers together, in bytes."""

BODY_BYTES_MAX = 64 * 1024 * 1024

NO_LINGER = struct.pack("ii", 1, 0)
"""Makes closing a socket reset the connection."""


class ClientGoneError(Exception):
    """The client has disconnected."""


@frozen
class HttpRequest:
    """One request."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Header names are lower case."""

    body: bytes

    @property
    def keeps(self) -> bool:
        """Whether the client wants to keep the connection alive."""
        return self.headers.get("connection", "").lower() != "close"


class HangupStreamReader(asyncio.StreamReader):
    """A stream reader that reports a disconnect even while nothing is reading."""

    def __init__(self) -> None:
        super().__init__(limit=HEAD_BYTES_MAX)
        self.gone = asyncio.Event()

    def feed_eof(self) -> None:
        """Note that the client has closed the connection."""
        super().feed_eof()
        self.gone.set()

    def set_exception(self, exc: BaseException) -> None:
        """Note that the connection broke."""
        super().set_exception(exc)  # type: ignore[arg-type]  # The stub wants Exception; the base class does not.
        self.gone.set()


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """Read the next request; None if the client disconnects or sends something other than HTTP."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        line, *rows = head.decode("latin-1").split("\r\n")[:-2]
        method, target, _ = line.split(" ")
        pairs = [row.split(":", 1) for row in rows]
        headers = {name.strip().lower(): value.strip() for name, value in pairs}
        body = await _read_body(reader, headers)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
        return None
    parts = urlsplit(target)
    return HttpRequest(method, unquote(parts.path), dict(parse_qsl(parts.query)), headers, body)


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        pieces: list[bytes] = []
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            pieces.append(await reader.readexactly(_bounded(size + sum(map(len, pieces)), size)))
            await reader.readexactly(2)
        await reader.readuntil(b"\r\n")
        return b"".join(pieces)
    length = int(headers.get("content-length", "0"))
    return await reader.readexactly(_bounded(length, length))


def _bounded(total: int, size: int) -> int:
    if total > BODY_BYTES_MAX or size < 0:
        raise ValueError("the body is too long")
    return size


class HttpExchange:
    """The server's side of one connection while it answers."""

    def __init__(self, reader: HangupStreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        # Draining then means that everything has left the process, which must happen before a reset.
        writer.transport.set_write_buffer_limits(high=0)

    @property
    def is_gone(self) -> bool:
        """Whether the client has disconnected."""
        return self._reader.gone.is_set() or self._writer.is_closing()

    async def respond(
        self, status: int, body: bytes, headers: Mapping[str, str], *, keep_alive: bool = True
    ) -> None:
        """Send a whole answer."""
        more = {"content-length": str(len(body)), "connection": "keep-alive" if keep_alive else "close"}
        await self._write(_head(status, {**headers, **more}) + body)

    async def respond_json(
        self, status: int, value: object, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a whole answer as JSON."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        await self.respond(status, body, {"content-type": "application/json", **(headers or {})})

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the head of a chunked answer."""
        await self._write(_head(status, {**headers, "transfer-encoding": "chunked"}))

    async def send(self, data: bytes) -> None:
        """Send one chunk."""
        if data:
            await self._write(b"%x\r\n%b\r\n" % (len(data), data))

    async def finish(self) -> None:
        """End the chunked answer; the connection may be reused."""
        await self._write(b"0\r\n\r\n")

    async def wait_until_gone(self) -> None:
        """Send nothing until the client disconnects."""
        await self._reader.gone.wait()
        raise ClientGoneError

    async def rest(self, sleep: asyncio.Task[None]) -> None:
        """Wait, but no longer than the client stays connected."""
        gone = asyncio.create_task(self._reader.gone.wait())
        try:
            await asyncio.wait({sleep, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleep.cancel()
            gone.cancel()
        if self.is_gone:
            raise ClientGoneError

    def reset(self) -> None:
        """Reset the connection, so that the client gets an error and not an end of file."""
        connection: socket.socket = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self._writer.transport.abort()

    async def _write(self, data: bytes) -> None:
        if self.is_gone:
            raise ClientGoneError
        self._writer.write(data)
        try:
            await self._writer.drain()
        except ConnectionError:
            raise ClientGoneError from None
        # Whatever is ready runs before this callback, such as a client that reads each chunk as it arrives.
        read = asyncio.Event()
        asyncio.get_running_loop().call_soon(read.set)
        await read.wait()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    known = {entry.value: entry.phrase for entry in HTTPStatus}
    rows = [
        f"HTTP/1.1 {status} {known.get(status, 'Overloaded')}",
        *(f"{k}: {v}" for k, v in headers.items()),
    ]
    return ("\r\n".join(rows) + "\r\n\r\n").encode("latin-1")
