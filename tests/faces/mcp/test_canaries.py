"""Canaries in every private thing: a companion receives none of them, and a game master no secret."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.extension import ClientExtension
from mcp_types import TextResourceContents

from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.play.campaign_view import Viewer
from talewright.play.sessions.store_lobby import StoreLobby
from tests.faces.mcp.serving import MODERN, TOKEN, text_of
from tests.play.making import make_lobby
from tests.privacy import MARK, NUMBERS, canary_edition, find_canaries

TURNS = 6
SECRETS = (f"{MARK} plot", str(NUMBERS[0]), f'{MARK} a"', f"{MARK}_b", f"{MARK} code")
"""What stands in secret slots, which are nobody's to see."""


@asynccontextmanager
async def connect(lobby: StoreLobby, role: Viewer, *extensions: ClientExtension) -> AsyncIterator[Client]:
    """A client of a server of this lobby."""
    asked = McpCommandOptions(role=role, saves=Path(), game="test")
    server = await open_server(lobby, asked, find_token({"TALEWRIGHT_TOKEN": TOKEN}))
    async with Client(server, mode=MODERN, extensions=extensions) as client:
        yield client


async def tell_turns(client: Client, heard: list[str]) -> str:
    """Tell some turns with rolls in secret, hidden changes and a card; everything that was answered."""

    async def call(name: str, **arguments: Any) -> dict[str, Any]:
        result = await client.call_tool(name, arguments)
        heard.append(text_of(result))
        return {} if result.is_error else dict(result.structured_content)

    campaign = (await call("start_campaign", operation_id="op"))["campaign"]
    for number in range(TURNS):
        await call("briefing", campaign=campaign)
        said = {"say": f"I walk on, {number}."} if number else {}
        where = {"campaign": campaign}
        where["turn"] = (await call("begin_turn", **where, operation_id=f"op-{number}", **said))["turn"]
        await call("listen", **where)
        updates = [
            {"op": "dec", "path": "hp", "value": 1, "reason": "the wind"},
            {"op": "set", "path": "CNRY_culprit", "value": f"{MARK} another", "reason": f"{MARK} because"},
        ]
        assert await call("propose_updates", **where, updates=updates), heard[-1]
        wished = {"op": "set", "path": "CNRY_plot", "value": f"{MARK} mine", "reason": "I wish it"}
        assert not await call("propose_updates", **where, updates=[wished])
        if number == TURNS - 1:
            await call("open_vault", **where)
        await call("finish_turn", **where, narration="The wind turns, and nothing else.")
    return str(campaign)


async def read_everything(client: Client, campaign: str) -> str:
    """All that a client can list and read."""
    tools, templates = await client.list_tools(), await client.list_resource_templates()
    resources, prompts = await client.list_resources(), await client.list_prompts()
    found = [one.model_dump_json() for one in (tools, templates, resources, prompts)]
    for resource in resources.resources:
        (content,) = (await client.read_resource(str(resource.uri))).contents
        assert isinstance(content, TextResourceContents)
        found.append(content.text)
    for prompt in prompts.prompts:
        found.append((await client.get_prompt(prompt.name, {"campaign": campaign})).model_dump_json())
    return "\n".join(found)


def test_a_companion_receives_no_hidden_roll_no_hidden_slot_and_no_secret() -> None:
    async def run() -> None:
        lobby, told = make_lobby(canary_edition(), language="en"), list[str]()
        async with connect(lobby, Viewer.MASTER) as master:
            campaign = await tell_turns(master, told)
        async with connect(lobby, Viewer.PLAYER) as companion:
            found = await read_everything(companion, campaign)
            where = {"campaign": campaign}
            for name in ("view", "story", "list_campaigns"):
                result = await companion.call_tool(name, {} if name == "list_campaigns" else where)
                found += text_of(result)
            for name, more in (
                ("say", {"text": "I wait."}),
                ("choose", {"choice": f"{MARK}"[:2]}),
                ("answer_decision", {"decision": "vault", "option": "yes"}),
                ("undo", {"version": 2}),
            ):
                operation = {} if name == "undo" else {"operation_id": f"player-{name}"}
                found += text_of(await companion.call_tool(name, {**where, **operation, **more}))
            # The master's tools are not there.
            for name in ("briefing", "begin_turn", "listen"):
                assert name not in {tool.name for tool in (await companion.list_tools()).tools}
        assert "I walk on, 3." in found
        assert [found[max(0, at - 60) : at + 60] for at in find_canaries(found)] == []
        # There was something to be found.
        assert find_canaries("\n".join(told))

    asyncio.run(run())


def test_a_game_master_sees_what_is_hidden_and_no_secret() -> None:
    async def run() -> None:
        lobby, told = make_lobby(canary_edition(), language="en"), list[str]()
        async with connect(lobby, Viewer.MASTER) as master:
            campaign = await tell_turns(master, told)
            told.append(await read_everything(master, campaign))
        everything = "\n".join(told)
        assert f"{MARK} another" in everything
        assert [secret for secret in SECRETS if secret in everything] == []
        assert b"s".hex() * 32 not in everything

    asyncio.run(run())
