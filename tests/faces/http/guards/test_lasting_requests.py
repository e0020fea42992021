"""Lasting requests: a stream ends at its next message when its token or login has ended."""

import asyncio
from typing import Any

import pytest

from talewright.faces.http.access_grants import GRANT, AccessRules
from talewright.faces.http.guards.lasting_requests import CHECK_SECONDS, LastingRequests

OWNER = "the-token-of-the-owner"
COOKIE = "talewright_1=good"


class Stream:
    """An open stream whose messages, time and login a test decides about."""

    def __init__(self, headers: list[tuple[bytes, bytes]], *, granted: bool = True) -> None:
        self.valid = {OWNER, COOKIE}
        self.now = 0.0
        self.sent: list[Any] = []
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.scope: dict[str, Any] = {"type": "http", "headers": headers, "state": {}}
        rules = AccessRules(self.valid.__contains__, b"secret", self._is_logged_in)

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if granted:
                scope["state"][GRANT] = True
            while True:
                message = await self.messages.get()
                if message == b"start":
                    await send({"type": "http.response.start", "status": 200, "headers": []})
                else:
                    await send({"type": "http.response.body", "body": message, "more_body": True})

        self.app = LastingRequests(app, rules, lambda: self.now)

    async def _is_logged_in(self, cookies: str) -> bool:
        return cookies in self.valid

    def open(self) -> "asyncio.Task[None]":
        async def send(message: Any) -> None:
            self.sent.append(message.get("status", message.get("body", "ended")))

        return asyncio.ensure_future(self.app(self.scope, self._receive, send))

    async def _receive(self) -> Any:
        raise AssertionError("nothing is read")

    async def say(self, message: bytes) -> None:
        await self.messages.put(message)
        for _ in range(5):
            await asyncio.sleep(0)


BEARER = [(b"authorization", f"Bearer {OWNER}".encode())]
LOGIN = [(b"Cookie", COOKIE.encode()), (b"cookie", b"second")]


@pytest.mark.parametrize("headers", [BEARER, LOGIN])
def test_a_stream_ends_when_access_does(headers: list[tuple[bytes, bytes]]) -> None:
    async def run() -> None:
        stream = Stream(headers)
        running = stream.open()
        await stream.say(b"start")
        stream.now += CHECK_SECONDS + 1
        await stream.say(b"one")
        stream.valid.clear()
        await stream.say(b"two")
        assert stream.sent == [200, b"one", b"two"], "checked a moment ago"
        stream.now += CHECK_SECONDS + 1
        await stream.say(b"three")
        await asyncio.wait_for(running, 5)
        assert stream.sent == [200, b"one", b"two", "ended"]

    asyncio.run(run())


def test_an_answer_that_has_not_begun_is_refused() -> None:
    async def run() -> None:
        stream = Stream(BEARER)
        running = stream.open()
        await stream.say(b"")
        stream = Stream(BEARER)
        running.cancel()
        running = stream.open()
        await asyncio.sleep(0)
        stream.valid.clear()
        stream.now += CHECK_SECONDS + 1
        await stream.say(b"start")
        await asyncio.wait_for(running, 5)
        assert stream.sent[0] == 401

    asyncio.run(run())


def test_a_route_that_asks_for_no_grant_is_left_alone() -> None:
    async def run() -> None:
        stream = Stream([(b"cookie", b"of something else")], granted=False)
        running = stream.open()
        stream.now += CHECK_SECONDS + 1
        await stream.say(b"start")
        stream.now += CHECK_SECONDS + 1
        await stream.say(b"one")
        assert stream.sent == [200, b"one"]
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(run())
