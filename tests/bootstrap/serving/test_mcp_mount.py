"""MCP at /mcp of the server: for tokens of a game master or a player, each in its own campaign."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from talewright.bootstrap import open_lobby
from talewright.bootstrap.serving import mcp_mount
from talewright.play.campaign_view import Viewer
from tests.bootstrap.serving.whole_server import ORIGIN, TOKEN, WholeServer, whole_server
from tests.faces.mcp.serving import LEGACY, MODERN, call, refusal

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def serve(saves: Path, *campaigns: str) -> AsyncIterator[WholeServer]:
    lobby = open_lobby(saves, git=False, language="en")
    for campaign in campaigns:
        session = await lobby.begin("chapel_watch", "en", campaign, Viewer.MASTER)
        await session.close()
    async with whole_server(lobby) as server:
        yield server


@asynccontextmanager
async def connect(server: WholeServer, token: str, mode: str) -> AsyncIterator[Client]:
    transport: Any = httpx2.ASGITransport(server.app)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=60) as http:
        way = streamable_http_client(f"{ORIGIN}/mcp", http_client=http)
        async with Client(way, mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", [MODERN, LEGACY])
def test_a_master_tells_and_a_player_plays_the_same_campaign(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with serve(tmp_path, "one", "two") as server:
            async with connect(server, await server.token("one", Viewer.MASTER), mode) as master:
                begun = await call(master, "begin_turn", campaign="one", operation_id="first")
                where = {"campaign": "one", "turn": begun["turn"]}
                await call(master, "finish_turn", **where, narration="The chapel is dark.")
                told = await refusal(master, "begin_turn", campaign="two", operation_id="first")
                assert told["code"] == "campaign_foreign"
                listed = await call(master, "list_campaigns")
                assert [one["campaign"] for one in listed["campaigns"]] == ["one"]
            async with connect(server, await server.token("one", Viewer.PLAYER), mode) as player:
                tools = {tool.name for tool in (await player.list_tools()).tools}
                assert "say" in tools
                assert "begin_turn" not in tools
                assert "The chapel is dark." in str(await call(player, "view", campaign="one"))
                assert (await refusal(player, "view", campaign="two"))["code"] == "campaign_foreign"

    asyncio.run(run())


def test_nobody_else_is_served(tmp_path: Path) -> None:
    async def run() -> None:
        async with serve(tmp_path, "one") as server:
            good = await server.token("one", Viewer.PLAYER)
            cookie = await server.login.begin_session(server.login.make_code()) or ""
            tried = {
                "nothing": (401, {}),
                "a wrong token": (401, {"Authorization": f"Bearer {good}x"}),
                "another scheme": (401, {"Authorization": f"Basic {good}"}),
                "the owner's cookie": (401, {"Cookie": cookie.partition(";")[0], "Origin": ORIGIN}),
                "the owner's token": (403, {"Authorization": f"Bearer {TOKEN}"}),
                "an author": (403, {"Authorization": f"Bearer {await server.token('one', Viewer.AUTHOR)}"}),
                "a foreign page": (
                    403,
                    {"Authorization": f"Bearer {good}", "Origin": "http://127.0.0.1:1"},
                ),
                "a foreign name": (421, {"Authorization": f"Bearer {good}", "Host": "evil.example"}),
            }
            async with server.client() as client:
                for who, (status, headers) in tried.items():
                    answer = await client.post("/mcp", json=LIST, headers={**ACCEPT, **headers})
                    assert answer.status_code == status, who
                    assert answer.headers["content-type"] == "application/problem+json"
                    assert answer.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
                    assert good not in answer.text
                fine = await client.post(
                    "/mcp", json=LIST, headers={**ACCEPT, "Authorization": f"Bearer {good}"}
                )
                assert fine.headers["referrer-policy"] == "no-referrer"

    asyncio.run(run())


def test_servers_that_nobody_uses_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_mount, "SERVERS_MAX", 1)
    names = ("one", "two", "three")

    async def run() -> None:
        async with serve(tmp_path, *names) as server:
            for name in (*names, *names):
                async with connect(server, await server.token(name, Viewer.PLAYER), MODERN) as player:
                    assert (await call(player, "view", campaign=name))["campaign"] == name

    asyncio.run(run())
