"""The connection to a server: what is sent again, what is not, and what an error becomes."""

import asyncio
from collections.abc import Iterable

import httpx
import pytest

from talewright.errors import TalewrightError
from talewright.play.error_codes import RemoteError, code_of
from talewright.play.wire.view_codec import WireError
from talewright.remote.server_address import ServerAddressError, read_address
from talewright.remote.server_connection import (
    RetryRules,
    ServerConnection,
    ServerRequest,
    UnreachableServerError,
)

TOKEN = "a-token-for-tests-0123456789"
GOOD = httpx.Response(200, json={"fine": True})
Step = httpx.Response | type[httpx.TransportError]


class FakeServer:
    """Answers with one step after the other; the clock moves only while the client sleeps."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = list(steps)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def connect(self, limit_seconds: float = 60.0) -> ServerConnection:
        return ServerConnection(
            "http://127.0.0.1:1/",
            TOKEN,
            httpx.MockTransport(self._answer),
            retry=RetryRules(limit_seconds),
            seconds=lambda: sum(self.slept),
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        if isinstance(step, httpx.Response):
            return step
        raise step("scripted")


def send(server: FakeServer, *, repeatable: bool = True, limit_seconds: float = 60.0) -> object:
    """The answer to one request."""

    async def main() -> object:
        connection = server.connect(limit_seconds)
        answer = await connection.send(
            ServerRequest("POST", "/x", {"a": "b c"}, {"y": 1}, repeatable=repeatable)
        )
        await connection.close()
        return answer.read()

    return asyncio.run(main())


def test_a_request_brings_the_token_and_nothing_that_a_server_set_before() -> None:
    server = FakeServer([httpx.Response(200, json={}, headers={"Set-Cookie": "a=b; Path=/"}), GOOD])

    async def main() -> None:
        connection = server.connect()
        for _ in range(2):
            await connection.send(ServerRequest("GET", "/games", {"role": "author"}))

    asyncio.run(main())
    for request in server.requests:
        assert str(request.url) == "http://127.0.0.1:1/api/games?role=author"
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
        assert "cookie" not in request.headers


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.ReadError,
        httpx.ReadTimeout,
        httpx.WriteError,
        httpx.RemoteProtocolError,
        httpx.Response(503),
        httpx.Response(502, text="a proxy"),
    ],
)
def test_what_may_be_repeated_is_sent_again(trouble: Step) -> None:
    server = FakeServer([trouble, trouble, GOOD])
    assert send(server) == {"fine": True}
    assert server.slept == [0.05, 0.1]
    assert len({request.content for request in server.requests}) == 1


def test_what_may_not_be_repeated_is_sent_again_only_if_it_never_arrived() -> None:
    server = FakeServer([httpx.ConnectError, httpx.ConnectTimeout, GOOD])
    assert send(server, repeatable=False) == {"fine": True}
    server = FakeServer([httpx.ReadError, GOOD])
    with pytest.raises(UnreachableServerError, match="the connection to http") as caught:
        send(server, repeatable=False)
    assert (
        caught.value.hint == "The request may or may not have been carried out; check before you try again."
    )
    assert len(server.requests) == 1


def test_it_gives_up_after_a_time() -> None:
    server = FakeServer([httpx.ConnectError])
    with pytest.raises(UnreachableServerError, match="does not answer: no connection") as caught:
        send(server, limit_seconds=10.0)
    assert 8.0 < sum(server.slept) <= 10.0
    assert max(server.slept) == 2.0
    assert code_of(caught.value) == "server_unreachable"


def test_waiting_can_be_cancelled() -> None:
    server = FakeServer([httpx.ConnectError])

    async def main() -> None:
        connection = ServerConnection("http://127.0.0.1:1", TOKEN, httpx.MockTransport(server._answer))
        sending = asyncio.ensure_future(connection.send(ServerRequest("GET", "/x", {})))
        while len(server.requests) < 2:
            await asyncio.sleep(0)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending

    asyncio.run(main())


PROBLEM = {"title": "Conflict", "detail": "taken\x1b[31m", "code": "name_taken", "hint": "Choose another."}


def make_problem(status: int, code: str = PROBLEM["code"]) -> httpx.Response:
    headers = {"content-type": "application/problem+json"}
    return httpx.Response(status, json={**PROBLEM, "code": code}, headers=headers)


def test_a_request_to_a_server_that_stops_is_sent_again() -> None:
    stopping = make_problem(503, "server_stopping")
    assert send(FakeServer([stopping, GOOD])) == {"fine": True}
    # It may have been done already.
    with pytest.raises(RemoteError):
        send(FakeServer([stopping, GOOD]), repeatable=False)


@pytest.mark.parametrize("status", [409, 502, 503])
def test_a_problem_is_an_error_with_its_code(status: int) -> None:
    with pytest.raises(RemoteError) as caught:
        send(FakeServer([make_problem(status)]))
    assert (code_of(caught.value), caught.value.hint) == ("name_taken", "Choose another.")
    assert "taken" in caught.value.message
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (httpx.Response(500, text="<html>"), "the server answered with status 500"),
        (httpx.Response(404, json=[1]), "the server answered with status 404"),
        (httpx.Response(404, text="{", headers={"content-type": "application/json"}), "with status 404"),
        (httpx.Response(302, headers={"location": "http://elsewhere"}), "not JSON"),
        (httpx.Response(200, text="[" * 100_000), "not JSON"),
    ],
)
def test_answers_of_other_servers_are_errors(answer: httpx.Response, message: str) -> None:
    with pytest.raises(TalewrightError, match=message) as caught:
        send(FakeServer([answer]))
    assert code_of(caught.value) == "remote_failed" or isinstance(caught.value, WireError)


def test_a_wrong_token_is_explained() -> None:
    with pytest.raises(RemoteError) as caught:
        send(FakeServer([httpx.Response(401)]))
    assert "TALEWRIGHT_TOKEN" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "url", "near"),
    [
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765", True),
        (" http://[::1]:80/ ", "http://[::1]:80", True),
        ("http://localhost", "http://localhost", True),
        ("https://tales.example/table/", "https://tales.example/table", False),
        ("http://192.168.0.7:1", "http://192.168.0.7:1", False),
    ],
)
def test_an_address_is_read(text: str, url: str, near: bool) -> None:
    address = read_address(text)
    assert (address.url, address.is_near) == (url, near)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid"),
        ("127.0.0.1:8765", "not valid"),
        ("ftp://127.0.0.1", "not valid"),
        ("http://", "not valid"),
        ("http://[::1", "not valid"),
        ("http://host:x", "not valid"),
        ("http://me:secret@host", "must not contain"),
        ("http://127.0.0.1:1/login?code=secret", "must not contain"),
    ],
)
def test_an_address_that_is_not_one_is_refused_and_not_quoted(text: str, message: str) -> None:
    with pytest.raises(ServerAddressError, match=message) as caught:
        read_address(text)
    assert "secret" not in caught.value.message + caught.value.hint
