"""Listening on loopback: whatever is written is sent at once."""

import asyncio
import socket

from talewright.bootstrap.mcp_launcher import listen


def test_connections_do_not_wait_for_acknowledgements() -> None:
    async def main() -> None:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            sock = writer.get_extra_info("socket")
            accepted.set_result(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen("127.0.0.1", 0)
        async with await asyncio.start_server(serve, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            assert await accepted
            writer.close()

    asyncio.run(main())
