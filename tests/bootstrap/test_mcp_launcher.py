"""Sockets that servers listen on."""

import asyncio
import socket

import pytest

from talewright.bootstrap.mcp_launcher import UnusablePortError, listen

HOST = "127.0.0.1"


def test_answers_are_sent_at_once() -> None:
    """Nagle's algorithm would hold back the end of an answer until the client has acknowledged its start."""

    async def main() -> None:
        with listen(HOST, 0) as listening:
            accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

            def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                served: socket.socket = writer.get_extra_info("socket")
                accepted.set_result(served.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                writer.close()

            async with await asyncio.start_server(answer, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                assert await accepted
                writer.close()

    asyncio.run(main())


def test_a_port_is_used_once() -> None:
    with listen(HOST, 0) as listening, pytest.raises(UnusablePortError, match="cannot be used"):
        listen(HOST, listening.getsockname()[1])
