"""Request guards: foreign hosts, pages and upgrades are refused, bodies are limited, headers always there."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from talewright.faces.http.guards import request_guards
from talewright.faces.http.guards.request_guards import (
    BODY_BYTES_MAX,
    BODY_BYTES_PER_SECOND,
    UPLOADS_MAX,
    AsgiApp,
    RequestGuards,
)
from talewright.faces.http.problems import handle_problems

PORT = 8734
OWN = f"http://127.0.0.1:{PORT}"


def make_app(served: list[str]) -> AsgiApp:
    app = FastAPI()

    @app.api_route("/{path:path}", methods=["GET", "POST", "PUT", "DELETE"])
    async def serve(request: Request) -> dict[str, int]:
        served.append(request.url.path)
        return {"size": len(await request.body())}

    return RequestGuards(app, PORT, {"/large": 2 * BODY_BYTES_MAX})


def ask(method: str = "GET", path: str = "/", served: list[str] | None = None, **more: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(make_app([] if served is None else served))
        async with httpx.AsyncClient(transport=transport, base_url=OWN) as client:
            return await client.request(method, path, **more)

    return asyncio.run(run())


PROTECTION = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
}
"""The headers as browsers know them."""


def check_headers(answer: httpx.Response) -> None:
    for name, value in PROTECTION.items():
        assert answer.headers.get_list(name) == [value]


@pytest.mark.parametrize(
    "host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"]
)
def test_names_of_this_machine_are_answered(host: str) -> None:
    answer = ask(headers={"Host": host})
    assert answer.status_code == 200
    check_headers(answer)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        f"evil.example:{PORT}",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.:{PORT}",
        f"0.0.0.0:{PORT}",
        f"2130706433:{PORT}",
        f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:{PORT}, evil.example",
    ],
)
def test_other_names_are_not(host: str) -> None:
    served: list[str] = []
    answer = ask(headers={"Host": host, "Authorization": "Bearer x"}, served=served)
    assert (answer.status_code, served) == (421, [])
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "request_foreign"
    check_headers(answer)


def test_two_hosts_or_none_are_refused() -> None:
    async def run(headers: list[tuple[bytes, bytes]]) -> int:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": b""}
        await make_app([])(scope, receive, send)
        return int(sent[0]["status"])

    own = (b"host", f"127.0.0.1:{PORT}".encode())
    assert asyncio.run(run([])) == 421
    assert asyncio.run(run([own, (b"host", b"evil.example")])) == 421
    assert asyncio.run(run([(b"host", b"evil.example"), own])) == 421
    assert asyncio.run(run([own])) == 200


FOREIGN_ORIGINS = [
    "null",
    "http://evil.example",
    "http://127.0.0.1:8735",
    "http://127.0.0.1",
    f"https://127.0.0.1:{PORT}",
    f"http://localhost:{PORT}",
    f"http://127.0.0.1:{PORT}/",
    f"http://127.0.0.1:{PORT}.evil.example",
    "",
]


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_pages_of_other_origins_are_refused(origin: str, method: str) -> None:
    served: list[str] = []
    for more in ({"Cookie": "a=b"}, {"Authorization": "Bearer x"}, {}):
        answer = ask(method, headers={"Origin": origin, **more}, served=served)
        assert (answer.status_code, served) == (403, [])
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_writes_by_cookie_need_our_own_origin(method: str) -> None:
    assert ask(method, headers={"Cookie": "a=b"}).status_code == 403
    assert ask(method, headers={"Cookie": "a=b", "Origin": OWN}).status_code == 200
    # Whoever brings a token, or nothing, is not a browser that was tricked.
    assert ask(method, headers={"Cookie": "a=b", "Authorization": "Bearer x"}).status_code == 200
    assert ask(method).status_code == 200
    assert ask("GET", headers={"Cookie": "a=b"}).status_code == 200


def test_websockets_are_refused() -> None:
    served: list[str] = []
    for headers in ({"Upgrade": "websocket"}, {"Upgrade": "WebSocket", "Origin": OWN, "Cookie": "a=b"}):
        assert ask(headers={"Connection": "Upgrade", **headers}, served=served).status_code == 403
    assert ask(headers={"Connection": "Upgrade", "Upgrade": "h2c"}).status_code == 200
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", f"127.0.0.1:{PORT}".encode())]}
    asyncio.run(make_app(served)(scope, receive, send))  # type: ignore[arg-type]
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert served == []


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(("path", "limit"), [("/", BODY_BYTES_MAX), ("/large", 2 * BODY_BYTES_MAX)])
def test_bodies_are_limited(path: str, limit: int, announced: bool) -> None:
    async def chunks(size: int) -> Any:
        for at in range(0, size, 65536):
            yield b"x" * min(65536, size - at)

    def body(size: int) -> Any:
        return b"x" * size if announced else chunks(size)

    assert ask("POST", path, content=body(limit)).json() == {"size": limit}
    answer = ask("POST", path, content=body(limit + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    check_headers(answer)


def test_a_length_that_no_number_holds_is_too_large() -> None:
    answer = ask("POST", content=b"x", headers={"Content-Length": "9" * 4_400})
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_a_body_with_two_lengths_is_refused() -> None:
    served: list[str] = []
    headers = {"Content-Length": "1", "Transfer-Encoding": "chunked"}
    answer = ask("POST", content=b"x", headers=headers, served=served)
    assert (answer.status_code, answer.json()["code"]) == (400, "request_refused")
    assert served == []
    check_headers(answer)


def test_a_client_that_disconnects_while_sending_is_one_plain_line_of_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    app = FastAPI()
    handle_problems(app)

    @app.post("/upload")
    async def upload(request: Request) -> int:
        return len(await request.body())

    messages = iter([{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}])
    headers = [(b"host", f"127.0.0.1:{PORT}".encode())]
    scope = {"type": "http", "method": "POST", "path": "/upload", "query_string": b"", "headers": headers}

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        """Nobody is there."""

    asyncio.run(RequestGuards(app, PORT, {})(scope, receive, send))
    (line,) = [one for one in caplog.records if one.name.startswith("talewright")]
    assert line.getMessage() == "POST /upload: the client disconnected while sending"
    assert line.exc_info is None


async def hang() -> Any:
    """The start of a body whose end never arrives."""
    yield b"x"
    await asyncio.Event().wait()


@pytest.mark.parametrize("path", ["/", "/large"])
def test_a_body_that_does_not_arrive_is_given_up(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_guards, "BODY_SECONDS", 0.01)
    answer = ask("POST", path, content=hang())
    assert (answer.status_code, answer.json()["code"]) == (408, "body_too_slow")
    check_headers(answer)


def test_a_body_gets_time_for_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow() -> Any:
        for _ in range(4):
            yield b"x" * BODY_BYTES_PER_SECOND
            await asyncio.sleep(0.02)

    monkeypatch.setattr(request_guards, "BODY_SECONDS", 0.01)
    assert ask("POST", content=slow()).json() == {"size": 4 * BODY_BYTES_PER_SECOND}


def test_so_many_large_bodies_are_received_at_once() -> None:
    async def run() -> None:
        transport = httpx.ASGITransport(make_app([]))
        async with httpx.AsyncClient(transport=transport, base_url=OWN) as client:
            waiting = [asyncio.create_task(client.post("/large", content=hang())) for _ in range(UPLOADS_MAX)]
            for _ in range(100):
                await asyncio.sleep(0)
            answer = await client.post("/large", content=b"x")
            assert (answer.status_code, answer.json()["code"]) == (503, "server_busy")
            assert (await client.post("/", content=b"x")).json() == {"size": 1}
            waiting[0].cancel()
            await asyncio.wait(waiting[:1])
            # The slot is free again, also after a body that arrived.
            for _ in range(2):
                assert (await client.post("/large", content=b"x")).json() == {"size": 1}
            for one in waiting:
                one.cancel()
            await asyncio.wait(waiting)

    asyncio.run(run())
