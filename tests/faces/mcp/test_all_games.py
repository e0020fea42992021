"""One server for all games: an assistant lists, makes, starts and continues them, and uses their tools."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference

from talewright.bootstrap import installed_systems, open_game_library, open_lobby
from talewright.bootstrap.games.pasted_games import PastedGameMaker
from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.pack.game_folders import shipped_games
from talewright.pack.user_folders import UserFolders
from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import LEGACY, MODES, SECRET, TOKEN, call, refusal

GAMES = {"chapel_watch", "dusty_tankard", "goblin_road", "lantern_road", "mist_harbor", "solo"}
RULES = """\
# The Salt Rules

## Dice
Roll 1d20 and add the modifier of the skill. If the total is at least the difficulty, it works.
A blow deals 1d6.

## Attributes
- Body (BOD): lifting and lasting
- Wits (WIT): noticing and knowing

Starting values: 8 to 18. The modifier is (score - 10) / 2, rounded down.

## Skills
- Climbing (BOD)
- Riddles (WIT)
"""
PREMISE = "A lighthouse keeper has not answered for three days.\n\nYou row out at dawn."


async def make_all_games_server(
    home: Path, role: Viewer = Viewer.MASTER, *, pasting: bool = True
) -> Server[Any]:
    """A server of all games, with a folder for those of the user."""
    own = UserFolders(home / "saves", home / "cache", (home / "games", shipped_games()))
    shelf = open_game_library(own)
    lobby = open_lobby(own.saves, shelf=shelf, git=False, language="en", secret=SECRET)
    make = PastedGameMaker(home / "games", own.cache, installed_systems, shelf.games) if pasting else None
    asked = McpCommandOptions(role=role, saves=own.saves, git=False)
    return await open_server(lobby, asked, find_token({"TALEWRIGHT_TOKEN": TOKEN}), make)


async def start(client: Client, game: str, operation: str = "begin") -> str:
    started = await call(client, "start_campaign", game=game, operation_id=operation, language="en")
    return str(started["campaign"])


async def open_turn(client: Client, campaign: str, operation: str, **given: str) -> dict[str, Any]:
    opened = await call(client, "begin_turn", campaign=campaign, operation_id=operation, **given)
    return {"campaign": campaign, "turn": opened["turn"]}


@pytest.mark.parametrize("mode", MODES)
def test_every_game_is_listed_started_and_continued(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path), mode=mode) as client:
            listed = (await call(client, "list_games"))["games"]
            assert {one["game"] for one in listed} == GAMES
            assert all(one["title"] and one["description"] and one["languages"] for one in listed)
            names = [await start(client, game) for game in sorted(GAMES)]
            # The same operation is another campaign in another game, and the same one in the same game.
            assert len(set(names)) == len(GAMES)
            assert await start(client, "solo") == names[-1]
            for name in names:
                assert (await call(client, "briefing", campaign=name))["campaign"] == name
            campaigns = (await call(client, "list_campaigns"))["campaigns"]
            assert {one["campaign"] for one in campaigns} == set(names)
            unknown = await refusal(client, "start_campaign", game="nothing", operation_id="two")
            assert unknown["code"] == "game_unknown"
            named = await refusal(client, "start_campaign", operation_id="two")
            assert "needs `game`" in named["message"]

    asyncio.run(run())


def test_tools_of_a_game_are_described_and_used(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path)) as client:
            assert "attempt" not in {tool.name for tool in (await client.list_tools()).tools}
            campaign = await start(client, "chapel_watch")
            tools = (await call(client, "describe_tools", campaign=campaign))["tools"]
            briefing = await call(client, "briefing", campaign=campaign)
            assert [one["name"] for one in tools] == briefing["tools"]
            described = {one["name"]: one for one in tools}
            assert "skill" in described["attempt"]["arguments"]["properties"]
            assert described["attempt"]["description"]
            where = await open_turn(client, campaign, "one")
            await call(client, "finish_turn", **where, narration="It is dark.")
            where = await open_turn(client, campaign, "two", say="I listen.")
            skill = {"skill": "perception", "difficulty": "easy", "stakes": "what moves"}
            rolled = await call(client, "use_tool", **where, tool="attempt", arguments=skill)
            assert rolled["result"]
            assert not rolled.get("waits_for_player")
            # What the rules refuse, and a tool that the game does not have, is answered with what is there.
            skill["skill"] = "charm"
            refused = await refusal(client, "use_tool", **where, tool="attempt", arguments=skill)
            assert "stealth" in refused["message"]
            foreign = await refusal(client, "use_tool", **where, tool="moveToLocation", arguments={})
            assert "attempt" in foreign["message"]
            # Arguments cannot lead to another campaign.
            other = {**skill, "skill": "stealth", "campaign": "nothing", "turn": "nothing"}
            await call(client, "use_tool", **where, tool="attempt", arguments=other)
            done = await call(client, "finish_turn", **where, narration="Something moves.")
            assert len(done["rolls"]) == 2

    asyncio.run(run())


def test_a_premise_and_rules_become_a_game(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path)) as client:
            given = {"title": "The Light", "language": "en", "premise": PREMISE, "rules": RULES}
            made = await call(client, "create_game", **given, place="The jetty")
            assert made["game"] == "the_light"
            assert Path(made["folder"]) == tmp_path / "games" / "the_light"
            assert (tmp_path / "games" / "the_light" / "System.md").read_text("utf-8") == RULES
            assert [one.name for one in (tmp_path / "games").iterdir()] == ["the_light"], "no parts are left"
            # The same texts are the same game, others with the same title are another.
            assert (await call(client, "create_game", **given, place="The jetty"))["game"] == "the_light"
            assert (await call(client, "create_game", **given))["game"] == "the_light_2"
            assert "the_light" in {one["game"] for one in (await call(client, "list_games"))["games"]}
            campaign = await start(client, "the_light")
            briefing = await call(client, "briefing", campaign=campaign)
            told = "\n".join(one["text"] for one in briefing["sections"])
            assert "lighthouse keeper" in told
            assert "The Salt Rules" in told
            assert "The jetty" in told
            assert {"moveToLocation", "roll_dice"} <= set(briefing["tools"])
            rules = await client.read_resource(f"talewright://{campaign}/rulebook")
            assert "Climbing" in str(rules.contents)

    asyncio.run(run())


def test_rules_or_a_premise_alone_are_enough(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path), mode=LEGACY) as client:
            named = {"title": "盐路", "language": "zh-CN"}
            only_rules = await call(client, "create_game", **named, rules=RULES)
            assert only_rules["game"] == "pasted_game"
            only_premise = await call(client, "create_game", **named, premise="你在破晓时划船出海。")
            for number, made in enumerate((only_rules, only_premise)):
                campaign = await start(client, made["game"], f"begin-{number}")
                where = await open_turn(client, campaign, "one")
                done = await call(client, "finish_turn", **where, narration="天亮了。")
                assert done["version"] == 1
            nothing = await refusal(client, "create_game", **named)
            assert nothing["message"] == "there is neither a premise nor rules"
            wrong = await refusal(client, "create_game", title="x", language="no language", rules=RULES)
            assert wrong["code"] == "game_unplayable"
            assert len(list((tmp_path / "games").iterdir())) == 2, "nothing is left of what does not compile"

    asyncio.run(run())


def test_warnings_of_rules_are_passed_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path)) as client:
            bare = {"title": "Bare", "language": "en", "rules": "# Bare\n\nBe nice.\n"}
            made = await call(client, "create_game", **bare)
            assert any("System.md" in one for one in made["warnings"])

    asyncio.run(run())


def test_a_host_offers_listed_games_only(tmp_path: Path) -> None:
    async def run() -> None:
        for role in (Viewer.MASTER, Viewer.PLAYER):
            async with Client(await make_all_games_server(tmp_path, role, pasting=False)) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                assert "list_games" in names
                assert "create_game" not in names
                assert "create_game" not in str(client.instructions)

    asyncio.run(run())


def test_a_companion_starts_any_game(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path, Viewer.PLAYER)) as client:
            for game in ("mist_harbor", "lantern_road"):
                campaign = await start(client, game)
                view = await call(client, "view", campaign=campaign)
                given = {"operation_id": "one", "choice": view["choices"][0]["id"]}
                assert (await call(client, "choose", campaign=campaign, **given))["view"]["version"] == 2
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert not {"use_tool", "describe_tools"} & names

    asyncio.run(run())


def test_prompts_of_a_server_of_all_games(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_all_games_server(tmp_path)) as client:
            prompts = {one.name: one for one in (await client.list_prompts()).prompts}
            assert [one.name for one in prompts["begin"].arguments or []] == ["game"]
            (message,) = (await client.get_prompt("begin", {"game": "solo"})).messages
            words = str(getattr(message.content, "text", ""))
            assert words.startswith("I want to play the game solo. ")
            for tool in ("list_games", "create_game", "describe_tools", "use_tool"):
                assert f"`{tool}`" in words
                assert f"`{tool}`" in str(client.instructions)
            begin = PromptReference(name="begin")
            found = await client.complete(begin, {"name": "game", "value": "s"})
            assert found.completion.values == ["solo"]
            with pytest.raises(MCPError, match="there is no campaign yet"):
                await client.get_prompt("recap")

    asyncio.run(run())
