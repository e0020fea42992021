"""The official client over stdio and over HTTP, by both protocols, with each request to another process."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters

from tests.faces.mcp.serving import (
    LEGACY,
    MODERN,
    MODES,
    TOKEN,
    HttpServers,
    call,
    command,
    environment,
    http_client,
    http_servers,
    refusal,
)

pytestmark = pytest.mark.process

GAME = "chapel_watch"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with http_servers(tmp_path_factory.mktemp("home"), "--game", GAME) as running:
        yield running


async def use_everything(client: Client, name: str) -> str:
    """List, call and read all there is, and tell two turns; returns the campaign."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    campaign = (await call(client, "start_campaign", operation_id=f"begin-{name}", language="en"))["campaign"]
    assert campaign in {one["campaign"] for one in (await call(client, "list_campaigns"))["campaigns"]}
    briefing = await call(client, "briefing", campaign=campaign)
    assert set(briefing["tools"]) <= tools

    opening = await call(client, "begin_turn", campaign=campaign, operation_id="one")
    where = {"campaign": campaign, "turn": opening["turn"]}
    # Of six calls at once, one finishes the turn, and the others name its commit.
    told = [call(client, "finish_turn", **where, narration="The chapel is dark.") for _ in range(6)]
    done = await asyncio.gather(*told)
    assert [one["repeated"] for one in done].count(False) == 1
    assert len({one["commit"] for one in done}) == 1
    assert {one["version"] for one in done} == {1}
    second = await call(
        client, "begin_turn", campaign=campaign, operation_id="two", say="I look for the clerk."
    )
    where["turn"] = second["turn"]
    assert (await refusal(client, "attempt", **where, skill="stealth"))["code"] == "not_wanted"
    updates = [{"op": "inc", "path": "nowhere", "value": 1, "reason": "it grows"}]
    assert "nowhere" in (await refusal(client, "propose_updates", **where, updates=updates))["message"]
    assert (await refusal(client, "end_game", **where, ending="bell"))["message"]
    assert await call(client, "abandon_turn", **where) == {"done": True}
    assert (await refusal(client, "submit_summary", campaign=campaign, summary="Nothing."))[
        "code"
    ] == "not_wanted"
    errand = {"system": "odds", "id": "none", "answer": "No."}
    assert (await refusal(client, "submit_answer", campaign=campaign, **errand))["code"] == "not_wanted"
    used = {"start_campaign", "list_campaigns", "briefing", "begin_turn", "finish_turn", "abandon_turn"}
    # Over the older HTTP without sessions, a client cannot say whether it shows apps, and may. The table
    # shows what the sheet has, so only one of them is listed.
    assert len(tools & {"show_table", "sheet"}) == 1
    assert tools - {"show_table", "sheet"} == used | {
        "story",
        "undo",
        "attempt",
        "propose_updates",
        "end_game",
        "submit_summary",
        "submit_answer",
    }
    await read_everything(client, campaign)
    return str(campaign)


async def read_everything(client: Client, campaign: str) -> None:
    """Every resource and every prompt."""
    listed = [one for one in (await client.list_resources()).resources if campaign in one.uri]
    templates = (await client.list_resource_templates()).resource_templates
    assert [one.uri for one in listed] == [
        template.uri_template.replace("{campaign}", campaign) for template in templates
    ]
    texts = {one.uri.rpartition("/")[2]: await read_text(client, one.uri) for one in listed}
    assert json.loads(texts["view"])["turn"]["narration"].endswith("The chapel is dark.")
    assert json.loads(texts["rolls"]) == []
    assert "The chapel is dark." in texts["story"]
    assert json.loads(texts["briefing"])["version"] == 1
    assert "## Odds" in texts["sheet"]
    hidden = {one.uri.rpartition("/")[2] for one in listed if one.annotations is not None}
    assert hidden == set(texts) - {"story"}
    for prompt in (await client.list_prompts()).prompts:
        (message,) = (await client.get_prompt(prompt.name)).messages
        assert message.content.type == "text"
        assert (campaign in message.content.text) is bool(prompt.arguments)


async def read_text(client: Client, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert hasattr(contents, "text")
    return str(contents.text)


@pytest.mark.parametrize("mode", MODES)
def test_everything_over_stdio(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        program, *options = command("--game", GAME)
        server = StdioServerParameters(command=program, args=options, env=environment(tmp_path))
        async with Client(server, mode=mode) as client:
            assert (client.protocol_version == mode) is (mode != "legacy")
            await use_everything(client, mode)

    asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_everything_over_http_with_each_request_to_another_process(mode: str, servers: HttpServers) -> None:
    async def run() -> None:
        async with http_client(servers, mode) as (client, transport):
            await use_everything(client, mode)
            assert transport.sent > 20

    asyncio.run(run())


def test_killed_servers_lose_nothing(servers: HttpServers) -> None:
    async def begin() -> dict[str, str]:
        async with http_client(servers, MODERN) as (client, _):
            started = await call(client, "start_campaign", operation_id="killed", language="en")
            opened = await call(client, "begin_turn", campaign=started["campaign"], operation_id="one")
            return {"campaign": started["campaign"], "turn": opened["turn"]}

    async def go_on(where: dict[str, str]) -> None:
        async with http_client(servers, LEGACY) as (client, _):
            # Whoever lost the answer asks again, and gets the same turn.
            campaign = (await call(client, "start_campaign", operation_id="killed"))["campaign"]
            again = await call(client, "begin_turn", campaign=campaign, operation_id="one")
            assert {"campaign": campaign, "turn": again["turn"]} == where
            done = await call(client, "finish_turn", **where, narration="The chapel is dark.")
            repeated = await call(client, "finish_turn", **where, narration="The chapel is lit.")
            assert repeated == {**done, "repeated": True}
            assert (await call(client, "start_campaign", operation_id="killed"))["version"] == 1

    where = asyncio.run(begin())
    servers.kill(0)
    servers.kill(0)
    servers.start(2)
    asyncio.run(go_on(where))


FOREIGN = {
    "no token": ({}, 401),
    "another token": ({"Authorization": "Bearer another-token-0123456789"}, 401),
    "a foreign page": ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://example.com"}, 403),
    "a foreign name": ({"Authorization": f"Bearer {TOKEN}", "Host": "example.com"}, 421),
    "another port": ({"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:1"}, 421),
}


def test_ctrl_c_ends_a_server(servers: HttpServers) -> None:
    process, _ = servers.running.pop()
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    process.communicate()


def test_strangers_are_not_served(servers: HttpServers) -> None:
    address = f"http://127.0.0.1:{servers.ports[0]}/mcp"
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers, status in FOREIGN.values():
        accepted = {"Accept": "application/json, text/event-stream", **headers}
        answer = httpx2.post(address, json=message, headers=accepted)
        assert answer.status_code == status
        assert "start_campaign" not in answer.text
