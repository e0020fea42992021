"""Plots with servers: a campaign narrated over MCP, and one played on a host and pulled from there."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from mcp import Client
from mcp.server import Server

from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.campaign_view import Viewer
from talewright.play.session import InputResult, ResultKind, wait_for_opening
from talewright.remote.remote_lobby import RemoteLobby
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import SEALING_KEYS, parse_keys
from talewright.stores.postgres.shards import DATABASE_URL, single_database
from talewright.turn.inputs.player_inputs import Say
from tests.faces.http.serving import TOKEN as HTTP_TOKEN
from tests.faces.http.serving import serve_process
from tests.faces.mcp import goblin_road_script
from tests.faces.mcp.scripted_master import ScriptedMaster
from tests.faces.mcp.serving import LEGACY, MODERN, TOKEN, PlayersAnswers, call, refusal, text_of
from tests.kept_campaigns.features import FROM_HOST, OVER_MCP
from tests.kept_campaigns.host_processes import LOBBY, OWNER, count_names, kept_worker
from tests.kept_campaigns.plots import CHOOSE, SAY, Following, Plot
from tests.kept_campaigns.workshop import Workshop, calls

GAME = "goblin_road"
KEYS = "k1:" + "A" * 43 + "="
"""The keys of the host, as its operator sets them."""

REST_SECONDS = 0.05
ROUNDS_MAX = 12


async def narrate_over_mcp(shop: Workshop) -> Following:
    """Goblin Road narrated over MCP, by both protocols; a companion takes turns by scenes, and undoes one."""
    async with Client(await _serve(shop, Viewer.MASTER), mode=MODERN) as client:
        started = await call(client, "start_campaign", operation_id="begin", language="en")
        master = ScriptedMaster(client, PlayersAnswers(), started["campaign"])
        for said, made, told in goblin_road_script.BEFORE:
            fighting = await _narrate(master, said, made, told)
        await refusal(
            client, "begin_turn", campaign=master.campaign, operation_id="x", choose="no-such-choice"
        )
    async with Client(await _serve(shop, Viewer.MASTER), mode=LEGACY) as client:
        master = ScriptedMaster(client, PlayersAnswers(), master.campaign)
        given_up = await master.begin(Say("I think about it."), "given-up")
        await call(client, "abandon_turn", campaign=master.campaign, turn=given_up)
        attack = (("take_turn", {"action": "attack", "target": "Snag"}),)
        for _ in range(ROUNDS_MAX):
            if fighting:
                fighting = await _narrate(master, "I swing at it.", attack, "Steel, and breath.")
        assert not fighting
        for said, made, told in goblin_road_script.AFTER:
            await _narrate(master, said, made, told)
    async with Client(await _serve(shop, Viewer.PLAYER), mode=MODERN) as companion:
        view = await call(companion, "view", campaign=master.campaign)
        choice = {"campaign": master.campaign, "choice": view["choices"][0]["id"]}
        done = await call(companion, "choose", operation_id="companion-1", **choice)
        version = done["view"]["version"]
        await call(companion, "undo", campaign=master.campaign, version=version - 1)
        await call(companion, "choose", operation_id="companion-2", **choice)
    async with Client(await _serve(shop, Viewer.MASTER), mode=MODERN) as client:
        master = ScriptedMaster(client, PlayersAnswers(), master.campaign)
        await _narrate(master, "And now?", (), "Now it is uphill.")
    # The server names a campaign after its game; whoever keeps it gives it a name of their own.
    (shop.places.saves / master.campaign).rename(shop.folder)
    return Following(CHOOSE)


LIFT = ("skill_check", {"skill": "Athletics", "difficulty": 10})
LISTEN = ("skill_check", {"skill": "Survival", "difficulty": 13})


async def look_at_dice(shop: Workshop) -> Following:
    """Goblin Road over MCP: turns abandoned after a check was seen; one of the checks is made again."""
    async with Client(await _serve(shop, Viewer.MASTER), mode=MODERN) as client:
        started = await call(client, "start_campaign", operation_id="begin", language="en")
        master = ScriptedMaster(client, PlayersAnswers(), started["campaign"])
        for said, made, told in goblin_road_script.BEFORE[:2]:
            await _narrate(master, said, made, told)
        for number, (name, arguments) in enumerate((LIFT, LIFT, LISTEN)):
            looked = await master.begin(Say("I wonder."), f"look-{number}")
            await call(client, name, campaign=master.campaign, turn=looked, **arguments)
            await call(client, "abandon_turn", campaign=master.campaign, turn=looked)
        await _narrate(master, "I lift the last sack myself.", (LIFT,), "The sack goes where it is told.")
    (shop.places.saves / master.campaign).rename(shop.folder)
    return Following(CHOOSE)


async def _serve(shop: Workshop, role: Viewer) -> Server[Any]:
    """The server as the command opens it."""
    asked = McpCommandOptions(role=role, saves=shop.places.saves, game=GAME, git=False)
    return await open_server(shop.lobby(), asked, find_token({"TALEWRIGHT_TOKEN": TOKEN}))


async def _narrate(master: ScriptedMaster, said: str, made: goblin_road_script.Calls, told: str) -> bool:
    """Narrate a turn; whether a fight goes on."""
    briefing = await call(master.client, "briefing", campaign=master.campaign, since=master.version)
    master.version = briefing["version"]
    handle = await master.begin(Say(said), f"turn-{master.version + 1}")
    fighting = False
    for name, arguments in made:
        where = {"campaign": master.campaign, "turn": handle}
        result = await master.client.call_tool(name, {**arguments, **where})
        assert not result.is_error, (name, text_of(result))
        fighting = fighting or '"goes_on"' in text_of(result)
    done = await master.finish(handle, told, facts=[f"It was said: {told}"])
    assert done["version"] == master.version + 1
    return fighting


LINES: tuple[tuple[str, tuple[tuple[str, Mapping[str, Any]], ...]], ...] = (
    ("你擦了四十只杯子，挣了一文钱。", ()),
    ("", (("askCharacter", {"characterName": "浦大娘", "topic": ""}),)),
    ("“这儿的杯子短分量。”浦大娘说。", ()),
    ("司小姐把鸭子擦了。", ()),
    ("司小姐又画了一只。", ()),
    ("一个小时的雨和热气。", ()),
    ("", (("moveToLocation", {"destination": "公量房", "narrativeTime": "", "accompaniedBy": []}),)),
    ("台阶是湿的。", ()),
    ("", (("advanceTime", {"narrativeTime": "", "ticks": 110}),)),
    ("天亮了。", ()),
    ("有人提着桶过去。", ()),
    ("桶没有响。", ()),
    ("桶响了。", ()),
    ("", (("noteFact", {"fact": "桶响了。", "witnesses": ["you"]}),)),
    ("你记住了。", ()),
)
"""What the storyteller of the host says, with its calls."""


async def play_on_host(shop: Workshop, database_url: str, redis_url: str) -> Following:
    """The Dusty Tankard in Chinese on a host: worker, node, background work; closed there, and pulled."""
    where = {"database_url": database_url, "redis_url": redis_url, "home": str(shop.home)}
    options: dict[str, Any] = {**where, "campaign": shop.campaign, "lines": LINES}
    # The operator prepares the tables before anything is served.
    await (await connect(single_database(database_url), parse_keys(KEYS))).close()
    with kept_worker(**options) as worker, serve_process(LOBBY, **options) as node:
        await asyncio.wait_for(_play_remotely(shop, node.url, database_url), 120)
        assert worker.stop() == {"left": 0}
    await asyncio.to_thread(_pull, shop, database_url)
    return Following(SAY, "我往水里看", (calls("水什么也不说。").text,))


async def _play_remotely(shop: Workshop, url: str, database_url: str) -> None:
    """Take the turns as a player elsewhere does, each after the background work of the one before."""
    lobby = RemoteLobby(url, HTTP_TOKEN, new_id=count_names(shop.campaign, "client"))
    queue = TurnQueue(database_url, pool_size=1)

    async def take(turn: Callable[[], Awaitable[InputResult]]) -> None:
        while await queue.list_open():
            await asyncio.sleep(REST_SECONDS)
        result = await turn()
        assert result.kind is ResultKind.COMMITTED, result

    try:
        session = await lobby.begin("dusty_tankard", "zh-CN", shop.campaign)
        await wait_for_opening(session)
        await take(partial(session.choose, "bed"))
        await take(partial(session.say, "我问浦大娘，这儿的人都聊些什么"))
        await session.mark("evening")
        await take(partial(session.choose, "world.talk-stroud"))
        await take(session.retry)
        await session.undo()
        await take(partial(session.choose, "world.wait"))
        await take(partial(session.say, "我去公量房"))
        await take(partial(session.say, "我睡到天亮"))
        for _ in range(3):
            await take(partial(session.choose, "world.wait-long"))
        await session.fork(name="另一天")
        await take(partial(session.say, "我听那只桶响不响"))
        while await queue.list_open():
            await asyncio.sleep(REST_SECONDS)
        await session.close()
    finally:
        await queue.close()
        await lobby.close()


def _pull(shop: Workshop, database_url: str) -> None:
    """Pull the campaign with the command, and close it on the host."""
    pull = ("saves", "pull", shop.campaign, "--owner", OWNER, "--close", "--saves", str(shop.places.saves))
    settings = {DATABASE_URL: database_url, SEALING_KEYS: KEYS, "TALEWRIGHT_HOME": str(shop.home)}
    subprocess.run(
        [sys.executable, "-m", "talewright", *pull],
        env={**os.environ, **settings},
        check=True,
        stdout=subprocess.DEVNULL,
    )


PLOTS: Mapping[str, Plot] = {
    "goblin_mcp": Plot(narrate_over_mcp, made=(OVER_MCP,)),
    "goblin_seen": Plot(look_at_dice, made=(OVER_MCP,)),
}


def plots_on(database_url: str, redis_url: str) -> Mapping[str, Plot]:
    """The plots that need a host's servers, on these."""
    play = partial(play_on_host, database_url=database_url, redis_url=redis_url)
    return {"tankard_pulled": Plot(play, made=(FROM_HOST,))}
