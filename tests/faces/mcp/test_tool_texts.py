"""What a game master reads names only tools that exist: descriptions, prompts, briefings, situations."""

import asyncio
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from talewright.bootstrap import open_game_library
from talewright.contract.tools.engine_tools import END_GAME, OFFER_CHOICES, PROPOSE_UPDATES
from talewright.play.sessions.store_master import list_tools
from tests.faces.mcp.serving import MODERN, call, make_test_server

GAMES = ("chapel_watch", "dusty_tankard", "goblin_road", "lantern_road", "mist_harbor", "solo")
NAME = re.compile(r"\w+")
QUOTED = re.compile(r"`([a-z_]+)`")


@cache
def list_all_tools() -> frozenset[str]:
    """Every tool that any game has for a narrator, of models or not."""
    shelf = open_game_library()
    found = {tool.name for game in GAMES for tool in list_tools(shelf.edition(game), "en")}
    return frozenset(name for name in {*found, OFFER_CHOICES, PROPOSE_UPDATES, END_GAME} if "_" in name)


async def read_all(client: Client, language: str) -> list[str]:
    """Everything that a game master reads until it narrates the first turn."""
    texts = [str(client.instructions)]
    texts += [one.model_dump_json(by_alias=True) for one in (await client.list_tools()).tools]
    await call(client, "start_campaign", language=language)
    for prompt in (await client.list_prompts()).prompts:
        texts += [one.model_dump_json() for one in (await client.get_prompt(prompt.name)).messages]
    answers: list[Any] = [await call(client, "briefing"), await call(client, "begin_turn")]
    return texts + [json.dumps(one, ensure_ascii=False) for one in answers]


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("game", GAMES)
def test_every_tool_that_is_named_exists(game: str, language: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, game), mode=MODERN) as client:
            tools = (await client.list_tools()).tools
            listed = {one.name for one in tools}
            words = "\n".join(await read_all(client, language))
        assert set(NAME.findall(words)) & (list_all_tools() - listed) == set()
        # What stands in backquotes is a tool, or something that a tool takes or answers.
        members = set(NAME.findall(json.dumps([one.model_dump(mode="json") for one in tools])))
        assert set(QUOTED.findall(words)) - listed - members == set()

    asyncio.run(run())


def test_a_turn_without_checks_takes_two_calls(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, "mist_harbor"), mode=MODERN) as client:
            await call(client, "start_campaign", language="en")
            await call(client, "briefing")
            choice = ""
            for version in range(1, 5):
                # With the table in the client, show_table is the third.
                opened = await call(client, "begin_turn", **({"choose": choice} if choice else {}))
                assert any(one["name"] == "scene" for one in opened["situation"])
                done = await call(client, "finish_turn", narration="It is foggy.")
                assert done["version"] == version
                choice = done["choices"][0]["id"]

    asyncio.run(run())
