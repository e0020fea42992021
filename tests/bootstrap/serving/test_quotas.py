"""Quotas on the server of one person, and floods of bad tokens, over HTTP."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from talewright.bootstrap import open_lobby
from talewright.bootstrap.mcp_launcher import limit_requests
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import ExportForm
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS, OwnerQuotas
from tests.bootstrap.serving.processes import begin_campaign, serve_command
from tests.bootstrap.serving.whole_server import ORIGIN, TOKEN, WholeServer, whole_server

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}
GAME = {"game": "chapel_watch", "language": "en"}


def quotas(**changed: int) -> OwnerQuotas:
    return replace(LOCAL_QUOTAS, **changed)


async def begin(client: httpx.AsyncClient, name: str) -> httpx.Response:
    return await client.post("/api/campaigns?role=master", json={**GAME, "name": name})


@pytest.mark.process
def test_a_flood_of_bad_tokens_is_stopped_noticed_and_harms_nobody(tmp_path: Path) -> None:
    with serve_command(tmp_path) as server:
        with server.client() as owner, server.client("") as nobody:
            campaign = begin_campaign(owner)
            told: list[int] = []
            for number in range(1_500):
                # Nobody here is believed to be a proxy.
                guess = {
                    "Authorization": f"Bearer guess-{number}",
                    "X-Forwarded-For": f"203.0.113.{number % 250}",
                }
                answer = nobody.get("/api/campaigns", headers=guess)
                told.append(answer.status_code)
            assert told.count(401) + told.count(429) == 1_500
            assert told.count(401) < 150, "a minute's worth, and as many again while the test takes its time"
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) >= 1
            assert answer.json()["code"] == "rate_limited"
            # One may pass each second; of three at once, two cannot.
            nonce = {"token": "00", "nonce": "0" * 16}
            attempts: tuple[Callable[[], httpx.Response], ...] = (
                lambda: nobody.get("/login?code=wrong"),
                lambda: nobody.post("/mcp", json=LIST, headers=ACCEPT),
                lambda: nobody.get("/api/proof", params=nonce),
            )
            for send in attempts:
                assert 429 in [send().status_code for _ in range(3)]
            # Nobody is locked out: neither who has a token, nor a browser with a login link.
            assert owner.get(f"/api/campaigns/{campaign}/view").status_code == 200
            assert nobody.get("/api/health").status_code == 200
            with server.browser() as browser:
                assert browser.get(f"/login?code={server.make_link().partition('=')[2]}").status_code == 303
        server.stop(signal.SIGTERM)
        printed = server.everything_printed()
    assert printed.count("too many bad tokens from 127.0.0.1") in (1, 2)
    assert "guess-" not in printed


@pytest.mark.slow
def test_an_owner_who_sends_too_much_waits(tmp_path: Path) -> None:
    async def run() -> None:
        now = [0.0]
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby, quotas=quotas(requests=4), seconds=lambda: now[0]) as server:
            await begin_with_token(server)
            now[0] += 120
            async with server.client(TOKEN) as owner, server.client() as nobody:
                told = [(await owner.get("/api/campaigns")).status_code for _ in range(4)]
                assert told == [200] * 4
                answer = await owner.get("/api/campaigns")
                assert (answer.status_code, answer.headers["retry-after"]) == (429, "15")
                assert answer.json()["code"] == "rate_limited"
                # Narrower tokens are the owner's too, whatever they open.
                async with server.client(await server.token("one", Viewer.PLAYER)) as player:
                    assert (await player.get("/api/campaigns/one/view")).status_code == 429
                    mcp = await player.post("/mcp", json=LIST, headers=ACCEPT)
                    assert (mcp.status_code, mcp.headers["retry-after"]) == (429, "15")
                page = await owner.get("/")
                assert (page.status_code, page.headers["retry-after"]) == (429, "15")
                assert "too many requests" in page.text
                # Who has no token cannot use up what the owner may send.
                assert (await nobody.get("/api/campaigns")).status_code == 401
                now[0] += 15
                assert [(await owner.get("/api/games")).status_code for _ in range(2)] == [200, 429]

    asyncio.run(run())


async def begin_with_token(server: WholeServer) -> None:
    async with server.client(TOKEN) as owner:
        assert (await begin(owner, "one")).status_code == 201


def test_forged_tokens_use_up_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby, quotas=quotas(requests=4), seconds=lambda: 0.0) as server:
            await begin_with_token(server)
            forged = (await server.token("one", Viewer.PLAYER))[:-3] + "AAA"
            async with server.client(forged) as forger, server.client(TOKEN) as owner:
                for _ in range(20):
                    assert (await forger.get("/api/campaigns/one/view")).status_code == 401
                assert (await owner.get("/api/campaigns")).status_code == 200

    asyncio.run(run())


def test_imports_are_counted_before_they_are_read(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby, quotas=quotas(imports=3), seconds=lambda: 0.0) as server:
            await begin_with_token(server)
            save = await lobby.write_out("one", ExportForm.SAVE)
            async with server.client(TOKEN, Origin=ORIGIN) as owner:
                assert (await owner.post("/api/campaigns/import?name=a", content=save)).status_code == 201
                # What cannot be read counts too: reading is what costs.
                assert (await owner.post("/api/campaigns/import?name=b", content=b"{")).status_code == 422
                assert (await owner.post("/api/campaigns/copies?name=c", content=b"{")).status_code == 422
                for path in ("/api/campaigns/import?name=d", "/api/campaigns/copies?name=d", "/import"):
                    answer = await owner.post(path, content=save)
                    assert (answer.status_code, answer.headers["retry-after"]) == (429, "20"), path
                assert (await owner.get("/api/campaigns")).json()["total"] == 2

    asyncio.run(run())


class OpenStream:
    """A client that keeps a stream open until it is told to go."""

    def __init__(self, server: WholeServer, token: str = TOKEN) -> None:
        self._server = server
        self._token = token
        self._gone = asyncio.Event()
        self._begun = asyncio.Event()
        self.status = 0

    async def __aenter__(self) -> "OpenStream":
        async def receive() -> Any:
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self._begun.set()

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/api/campaigns/one/news",
            "raw_path": b"/api/campaigns/one/news",
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1:8734"), (b"authorization", b"Bearer " + self._token.encode())],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8734),
        }
        self._task = asyncio.create_task(self._server.app(scope, receive, send))
        await asyncio.wait_for(self._begun.wait(), 20)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._gone.set()
        await asyncio.wait_for(self._task, 20)


def test_streams_are_limited_while_they_are_open(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby, quotas=quotas(streams=2)) as server:
            await begin_with_token(server)
            async with AsyncExitStack() as held:
                for _ in range(2):
                    assert (await held.enter_async_context(OpenStream(server))).status == 200
                narrow = await server.token("one", Viewer.PLAYER)
                for token in (TOKEN, narrow):
                    async with server.client(token) as client:
                        answer = await client.get("/api/campaigns/one/news")
                    assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
                    assert answer.json()["code"] == "too_many_streams"
            for _ in range(3):
                async with OpenStream(server) as one, OpenStream(server) as other:
                    assert (one.status, other.status) == (200, 200)

    asyncio.run(run())


def test_of_many_streams_at_once_only_so_many_open(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby, quotas=quotas(streams=7)) as server:
            await begin_with_token(server)
            async with AsyncExitStack() as held:
                opened = await asyncio.gather(
                    *(held.enter_async_context(OpenStream(server)) for _ in range(50))
                )
                assert sorted(one.status for one in opened) == [200] * 7 + [429] * 43

    asyncio.run(run())


def test_of_fifty_campaigns_at_once_one_fits(tmp_path: Path) -> None:
    async def run() -> None:
        limits = quotas(campaigns=3)
        lobby = open_lobby(tmp_path, git=False, language="en", limits=limits.storage)
        async with whole_server(lobby, quotas=limits) as server, server.client(TOKEN) as owner:
            for name in ("one", "two"):
                assert (await begin(owner, name)).status_code == 201
            answers = await asyncio.gather(*(begin(owner, f"more{number}") for number in range(50)))
            told = sorted(answer.status_code for answer in answers)
            assert told == [201] + [409] * 49
            refused = next(answer for answer in answers if answer.status_code == 409)
            assert refused.json()["code"] == "too_many_campaigns"
            save = await lobby.write_out("one", ExportForm.SAVE)
            answer = await owner.post("/api/campaigns/import?name=brought", content=save)
            assert answer.json()["code"] == "too_many_campaigns"
            # The removed ones no longer count.
            assert (await owner.delete("/api/campaigns/one")).status_code == 200
            assert (await begin(owner, "again")).status_code == 201

    asyncio.run(run())


def test_the_bytes_of_all_campaigns_count(tmp_path: Path) -> None:
    async def run() -> None:
        limits = quotas(bytes=1_000)
        lobby = open_lobby(tmp_path, git=False, language="en", limits=limits.storage)
        async with whole_server(lobby, quotas=limits) as server, server.client(TOKEN) as owner:
            assert (await begin(owner, "one")).status_code == 201
            answer = await begin(owner, "two")
            assert (answer.status_code, answer.json()["code"]) == (507, "storage_full")
            # In the bin, it takes as much.
            assert (await owner.delete("/api/campaigns/one")).status_code == 200
            assert (await begin(owner, "two")).status_code == 507
            assert (await owner.get("/api/campaigns")).json()["total"] == 0

    asyncio.run(run())


def test_mcp_over_http_is_limited_too() -> None:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        is_good = (b"authorization", b"Bearer good") in scope["headers"]
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200 if is_good else 401, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def run() -> None:
        app = limit_requests(answer, lambda given: given == "good", OwnerQuotas(requests=3, bad_tokens=3))
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            for token, status in (("bad", 401), ("good", 200)):
                sent = {"Authorization": f"Bearer {token}"}
                told = [(await client.post("/mcp", headers=sent)) for _ in range(4)]
                assert [one.status_code for one in told] == [status] * 3 + [429]
                assert int(told[-1].headers["retry-after"]) >= 1

    asyncio.run(run())
