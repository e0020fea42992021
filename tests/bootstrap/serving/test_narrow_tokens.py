"""Narrower tokens: they expire, and they end with their campaign, whoever gets its name later."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import open_lobby
from talewright.common.frozen_values import frozen
from talewright.faces.http.access_grants import TOKEN_DAYS, TOKEN_DAYS_MAX
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import ExportForm
from tests.bootstrap.serving.whole_server import NOW, TOKEN, Clock, WholeServer, whole_server

DAY_SECONDS = 24 * 60 * 60
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@frozen
class Tried:
    """How a token was answered."""

    view: int
    news: int
    listed: int
    mcp: int


SERVED = Tried(200, 200, 200, 200)
REFUSED = Tried(401, 401, 401, 401)


async def begin(server: WholeServer, campaign: str = "one") -> None:
    asked = {"game": "chapel_watch", "language": "en", "name": campaign}
    async with server.client(TOKEN) as owner:
        answer = await owner.post("/api/campaigns?role=master", json=asked)
        assert answer.status_code == 201, answer.text


async def make(server: WholeServer, role: Viewer = Viewer.PLAYER, **more: Any) -> dict[str, Any]:
    async with server.client(TOKEN) as owner:
        answer = await owner.post("/api/tokens", json={"campaign": "one", "role": role.value, **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made


async def attempt(server: WholeServer, token: str) -> Tried:
    """Whether a token opens its campaign, by every door."""
    async with server.client(token) as client:
        view = await client.get("/api/campaigns/one/view")
        # Nothing is streamed: the client reads whole bodies.
        news = await client.get("/api/campaigns/one/receipts")
        listed = await client.get("/api/campaigns")
        mcp = await client.post("/mcp", json=LIST, headers=ACCEPT)
        return Tried(view.status_code, news.status_code, listed.status_code, mcp.status_code)


async def remove(server: WholeServer) -> None:
    async with server.client(TOKEN) as owner:
        assert (await owner.delete("/api/campaigns/one")).status_code == 200


@pytest.mark.parametrize("role", [Viewer.PLAYER, Viewer.MASTER])
def test_a_token_ends_with_its_campaign(role: Viewer, tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby) as server:
            await begin(server)
            token = (await make(server, role))["token"]
            assert await attempt(server, token) == SERVED
            await remove(server)
            assert await attempt(server, token) == REFUSED
            # Someone else's campaign gets the name.
            await begin(server)
            assert await attempt(server, token) == REFUSED
            assert await attempt(server, (await make(server, role))["token"]) == SERVED

    asyncio.run(run())


@pytest.mark.parametrize("form", [ExportForm.SAVE, ExportForm.WHOLE])
def test_an_imported_copy_is_another_campaign(form: ExportForm, tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        async with whole_server(lobby) as server:
            await begin(server)
            token = (await make(server))["token"]
            data = await lobby.write_out("one", form)
            await remove(server)
            async with server.client(TOKEN) as owner:
                answer = await owner.post("/api/campaigns/import?name=one", content=data)
                assert answer.status_code == 201, answer.text
            assert await attempt(server, token) == REFUSED

    asyncio.run(run())


def test_a_campaign_that_another_program_replaced_is_not_opened(tmp_path: Path) -> None:
    """`talewright saves remove` and `talewright play` know nothing of the server."""

    async def run() -> None:
        async with whole_server(open_lobby(tmp_path, git=False, language="en")) as server:
            await begin(server)
            token = (await make(server, Viewer.MASTER))["token"]
            assert await attempt(server, token) == SERVED
            elsewhere = open_lobby(tmp_path, git=False, language="en")
            await elsewhere.remove("one")
            session = await elsewhere.begin("chapel_watch", "en", "one", Viewer.MASTER)
            await session.close()
            assert await attempt(server, token) == REFUSED

    asyncio.run(run())


def test_a_token_expires(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with whole_server(open_lobby(tmp_path, git=False, language="en"), now=clock) as server:
            await begin(server)
            usual, short = await make(server), await make(server, days=1)
            assert usual["expires_at"] == "2027-02-14T08:00:00Z"
            assert TOKEN_DAYS == 30
            clock.now = NOW + DAY_SECONDS - 1
            assert await attempt(server, short["token"]) == SERVED
            clock.now += 1
            assert await attempt(server, short["token"]) == REFUSED
            assert await attempt(server, usual["token"]) == SERVED
            clock.now = NOW + TOKEN_DAYS * DAY_SECONDS
            assert await attempt(server, usual["token"]) == REFUSED

    asyncio.run(run())


@pytest.mark.parametrize("days", [0, -1, TOKEN_DAYS_MAX + 1, 1e9, "never", None])
def test_no_token_lasts_for_ever(days: Any, tmp_path: Path) -> None:
    async def run() -> None:
        async with whole_server(open_lobby(tmp_path, git=False, language="en")) as server:
            await begin(server)
            async with server.client(TOKEN) as owner:
                asked = {"campaign": "one", "role": "player", "days": days}
                answer = await owner.post("/api/tokens", json=asked)
                assert answer.status_code in (400, 422), answer.text

    asyncio.run(run())
