"""HTTP as the fake servers speak it: kept connections, chunked bodies, and what is not HTTP."""

import asyncio

import pytest

from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.http_connection import (
    BODY_BYTES_MAX,
    HEAD_BYTES_MAX,
    HangupStreamReader,
    HttpRequest,
    read_request,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider.client import address, ask, connected


def parse(data: bytes) -> HttpRequest | None:
    """The request these bytes make."""

    async def run() -> HttpRequest | None:
        reader = HangupStreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        assert reader.gone.is_set()
        return await read_request(reader)

    return asyncio.run(run())


def test_a_request_is_read() -> None:
    request = parse(
        b"POST /a%20b?x=1&y=%26 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nX-Y:  z \r\n\r\nabcrest"
    )
    assert request == HttpRequest(
        "POST", "/a b", {"x": "1", "y": "&"}, {"host": "h", "content-length": "3", "x-y": "z"}, b"abc"
    )
    assert request is not None
    assert request.keeps


def test_a_chunked_body_is_read() -> None:
    head = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    request = parse(head + b"3;note\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n")
    assert request is not None
    assert request.body == b"abc0123456789"
    assert not request.keeps


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET /",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\nabc",
        b"POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % (BODY_BYTES_MAX + 1),
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"y" * HEAD_BYTES_MAX + b"\r\n\r\n",
    ],
)
def test_what_is_not_a_request_is_none(data: bytes) -> None:
    assert parse(data) is None


def test_a_connection_is_kept_and_closed_when_asked() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, ["one", "two", "three"]) as server, connected(server) as line:
            path, headers = address(Wire.OPENAI, server.key)
            for _ in range(2):
                line.say("POST", path, headers, ask(Wire.OPENAI))
                assert (await line.hear()).headers["connection"] == "keep-alive"
            line.say("POST", path, {**headers, "connection": "close"}, ask(Wire.OPENAI))
            assert (await line.hear()).status == 200
            assert await line.reader.read() == b""

    asyncio.run(run())


def test_who_does_not_speak_http_is_hung_up_on() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, []) as server, connected(server) as line:
            line.writer.write(b"hello?\r\n\r\n")
            assert await line.reader.read() == b""
            assert server.ledger.entries == ()

    asyncio.run(run())
