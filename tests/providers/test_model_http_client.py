"""Sending: a kept connection that was closed meanwhile is not the end; a new one that is closed is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from talewright.providers.model_http_client import KEPT_MAX, send_request

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Closing:
    """A server that answers so many requests on a connection, and closes it when the next one has come."""

    def __init__(self, *answered: int) -> None:
        self._left = list(answered)
        self.url = ""
        self.asked: list[int] = []
        """Of every request, the number of its connection."""

        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection; of those that nobody spoke of, no request is answered."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        answers = self._left.pop(0) if self._left else 0
        number = len({*self.asked}) + 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.asked.append(number)
                if not answers:
                    break
                answers -= 1
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def rest(self) -> None:
        """Wait until every connection is closed."""
        await asyncio.gather(*self._tasks)


@asynccontextmanager
async def serve(*answered: int) -> AsyncIterator[tuple[Closing, httpx.AsyncClient]]:
    closing = Closing(*answered)
    server = await asyncio.start_server(closing.take, "127.0.0.1", 0)
    closing.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with httpx.AsyncClient(trust_env=False) as client:
        yield closing, client
    await closing.rest()
    server.close()
    await server.wait_closed()


async def ask(closing: Closing, client: httpx.AsyncClient) -> str:
    response = await send_request(client, client.build_request("POST", closing.url, content=b""))
    return (await response.aread()).decode()


def test_a_kept_connection_that_was_closed_is_replaced() -> None:
    async def run() -> None:
        async with serve(1, 2) as (closing, client):
            assert [await ask(closing, client) for _ in range(3)] == ["ok"] * 3
            assert closing.asked == [1, 1, 2, 2]

    asyncio.run(run())


def test_a_new_connection_that_is_closed_is_a_failure() -> None:
    async def run() -> None:
        async with serve(0, 1) as (closing, client):
            with pytest.raises(httpx.RemoteProtocolError):
                await ask(closing, client)
            assert closing.asked == [1]

    asyncio.run(run())


def test_nobody_is_asked_without_end() -> None:
    """Kept connections may all be closed; after so many of them the last failure counts."""

    async def run() -> None:
        count = KEPT_MAX + 2
        async with serve(*[1] * count) as (closing, client):
            opened = [
                await send_request(client, client.build_request("POST", closing.url, content=b""))
                for _ in range(count)
            ]
            for response in opened:
                await response.aread()
            with pytest.raises(httpx.RemoteProtocolError):
                await ask(closing, client)
            assert len(closing.asked) == count + KEPT_MAX + 1

    asyncio.run(run())
