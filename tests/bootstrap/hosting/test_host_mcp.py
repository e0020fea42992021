"""MCP at /mcp of a host: an owner's assistant reaches that owner's campaigns and the host's games."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from talewright.bootstrap import open_game_library
from talewright.bootstrap.mcp_launcher import open_server
from talewright.bootstrap.serving import mcp_mount
from talewright.play.campaign_view import Viewer
from tests.bootstrap.hosting.host_app import PUBLIC, HostApp, host_app
from tests.bootstrap.serving.whole_server import ORIGIN
from tests.faces.mcp.serving import LEGACY, MODERN, MODES, call, refusal

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def connect(
    host: HostApp, token: str, mode: str = MODERN, query: str = "", origin: str = ORIGIN
) -> AsyncIterator[Client]:
    transport: Any = httpx2.ASGITransport(host.app)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=60) as http:
        way = streamable_http_client(f"{origin}/mcp{query}", http_client=http)
        async with Client(way, mode=mode) as client:
            yield client


async def tell(client: Client, campaign: str, words: str) -> None:
    begun = await call(client, "begin_turn", campaign=campaign, operation_id="first")
    await call(client, "finish_turn", campaign=campaign, turn=begun["turn"], narration=words)


@pytest.mark.parametrize("mode", MODES)
def test_an_owner_narrates_and_plays_their_own_campaigns(mode: str, database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, shelf=open_game_library()) as host:
            ann, bob = [host.tokens[await host.add_owner(name)] for name in ("Ann", "Bob")]
            async with connect(host, ann, mode) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                assert {"list_games", "use_tool"} <= names
                assert "create_game" not in names, "only the operator brings games"
                started = await call(client, "start_campaign", game="chapel_watch", operation_id="begin")
                campaign = started["campaign"]
                await tell(client, campaign, "The chapel is dark.")
            async with connect(host, ann, mode, "?role=player") as player:
                assert "The chapel is dark." in str(await call(player, "view", campaign=campaign))
                assert "use_tool" not in {tool.name for tool in (await player.list_tools()).tools}
            async with connect(host, bob, mode) as other:
                assert (await call(other, "list_campaigns"))["campaigns"] == []
                for tool in ("briefing", "story", "sheet"):
                    assert (await refusal(other, tool, campaign=campaign))["code"] == "campaign_unknown"
                # The same operation of another owner is another campaign, although it has the same name.
                theirs = await call(other, "start_campaign", game="chapel_watch", operation_id="begin")
                assert theirs["version"] == 0

    asyncio.run(run())


def test_a_narrower_token_stays_narrow(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, shelf=open_game_library()) as host:
            owner = await host.add_owner("Ann")
            for name in ("one", "two"):
                session = await host.lobby_of(owner).begin("chapel_watch", "en", name, Viewer.MASTER)
                await session.close()
            async with host.client(host.tokens[owner]) as api:
                asked = {"campaign": "one", "role": "master"}
                token = (await api.post("/api/tokens", json=asked)).json()["token"]
            # The role of a narrower token stays as it is.
            async with connect(host, token, LEGACY, "?role=player") as client:
                assert "start_campaign" not in {tool.name for tool in (await client.list_tools()).tools}
                await tell(client, "one", "The chapel is dark.")
                assert (await refusal(client, "briefing", campaign="two"))["code"] == "campaign_foreign"

    asyncio.run(run())


def test_nobody_else_is_served(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, shelf=open_game_library()) as host:
            token = host.tokens[await host.add_owner("Ann")]
            bearer = {"Authorization": f"Bearer {token}"}
            tried = {
                "nothing": (401, {}),
                "a wrong token": (401, {"Authorization": f"Bearer {token}x"}),
                "another scheme": (401, {"Authorization": f"Basic {token}"}),
                "a foreign page": (403, {**bearer, "Origin": "http://127.0.0.1:1"}),
                "a foreign name": (421, {**bearer, "Host": "evil.example"}),
                "the owner": (200, bearer),
            }
            async with host.client() as client:
                login = await client.post("/login", data={"token": token}, headers={"Origin": ORIGIN})
                cookie = {"Cookie": login.headers["set-cookie"].partition(";")[0], "Origin": ORIGIN}
                client.cookies.clear()
                for who, (status, headers) in {**tried, "the owner's cookie": (401, cookie)}.items():
                    answer = await client.post("/mcp", json=LIST, headers={**ACCEPT, **headers})
                    assert answer.status_code == status, (who, answer.text)
                    assert token not in answer.text
                    assert ("list_games" in answer.text) == (status == 200), who

    asyncio.run(run())


def test_servers_that_nobody_uses_are_closed(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    async def count(lobby: Any, asked: Any, token: Any) -> Any:
        opened.append(token.key.reveal())
        return await open_server(lobby, asked, token)

    monkeypatch.setattr(mcp_mount, "open_server", count)

    async def run() -> None:
        async with host_app(database_url, shelf=open_game_library()) as host:
            ann, bob = [host.tokens[await host.add_owner(name)] for name in ("Ann", "Bob")]
            # When Ann uses hers again, Bob has not used his for too long.
            steps = ((0, ann, 1), (0, bob, 2), (200, ann, 2), (101, ann, 2), (0, bob, 3), (0, ann, 3))
            for seconds, token, servers in steps:
                host.clock.now += seconds
                async with connect(host, token) as client:
                    await call(client, "list_campaigns")
                assert len(opened) == servers
            assert len(set(opened)) == 2, "each owner has a key of their own"

    asyncio.run(run())


def test_the_public_address_is_served(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, PUBLIC, shelf=open_game_library()) as host:
            token = host.tokens[await host.add_owner("Ann")]
            async with connect(host, token, origin=PUBLIC.origin) as client:
                assert (await call(client, "list_games"))["games"]

    asyncio.run(run())
