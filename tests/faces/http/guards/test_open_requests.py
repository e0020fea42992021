"""Open requests: when the server stops, streams end at once and the rest soon, each with a whole answer."""

import asyncio
from typing import Any

import pytest

from talewright.faces.http.guards.open_requests import OpenRequests
from talewright.faces.http.guards.request_guards import Message, Receive, Scope, Send

SCOPE: dict[str, Any] = {"type": "http"}


async def receive() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


class Answer:
    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.begun = asyncio.Event()

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        self.begun.set()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def is_whole(self) -> bool:
        return self.sent[-1]["type"] == "http.response.body" and not self.sent[-1].get("more_body")


async def stream_forever(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
    await receive()


async def wait_forever(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()


def test_a_stream_ends_when_the_server_stops() -> None:
    async def run() -> None:
        requests, answer = OpenRequests(stream_forever), Answer()
        task = asyncio.ensure_future(requests(SCOPE, receive, answer.send))
        await answer.begun.wait()
        assert requests.count == 1
        requests.stop()
        await task
        assert answer.is_whole
        assert requests.count == 0
        # One that begins while the server stops ends too.
        late = Answer()
        await requests(SCOPE, receive, late.send)
        assert late.is_whole

    asyncio.run(run())


def test_another_request_has_a_moment_and_can_be_sent_again() -> None:
    async def run() -> None:
        requests, answer = OpenRequests(wait_forever, finish_seconds=0), Answer()
        task = asyncio.ensure_future(requests(SCOPE, receive, answer.send))
        while not requests.count:
            await asyncio.sleep(0)
        requests.stop()
        await task
        assert answer.status == 503
        assert answer.is_whole
        assert b"server_stopping" in answer.sent[-1]["body"]

    asyncio.run(run())


def test_who_goes_away_is_nothing_of_ours() -> None:
    async def run() -> None:
        requests, answer = OpenRequests(stream_forever), Answer()
        task = asyncio.ensure_future(requests(SCOPE, receive, answer.send))
        await answer.begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert requests.count == 0

    asyncio.run(run())
