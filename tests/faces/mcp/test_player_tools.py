"""The player's companion: it sees what the player sees, and takes turns for them."""

import asyncio
from pathlib import Path

from mcp import Client

from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import LEGACY, call, make_test_server, refusal

GAME = "mist_harbor"


def test_a_companion_plays(tmp_path: Path) -> None:
    async def run() -> None:
        server = await make_test_server(tmp_path, GAME, Viewer.PLAYER)
        async with Client(server, mode=LEGACY) as client:
            started = await call(client, "start_campaign", operation_id="begin", language="en")
            campaign = started["campaign"]
            assert started["version"] == 1
            view = await call(client, "view", campaign=campaign)
            (content,) = (await client.call_tool("view", {"campaign": campaign})).content
            assert content.type == "text"
            assert content.annotations is None, "a player may read it"
            assert view["title"] == "Mist Harbor Echoes"
            assert view["status"]
            chosen = {"operation_id": "one", "choice": view["choices"][0]["id"]}
            done = await call(client, "choose", campaign=campaign, **chosen)
            assert (done["kind"], done["view"]["version"]) == ("committed", 2)
            # The same operation is the same turn.
            assert (await call(client, "choose", campaign=campaign, **chosen))["view"]["version"] == 2
            said = {"operation_id": "two", "text": done["view"]["choices"][0]["label"]}
            assert (await call(client, "say", campaign=campaign, **said))["view"]["version"] == 3
            story = await call(client, "story", campaign=campaign, turns=2)
            assert [one["version"] for one in story["turns"]] == [2, 3]
            for _ in range(2):
                assert (await call(client, "undo", campaign=campaign, version=2))["version"] == 2
            assert (await refusal(client, "undo", campaign=campaign, version=9))["hint"] == "Give 1 to 2."
            alone = await refusal(client, "go_on", campaign=campaign, operation_id="three")
            assert alone["code"] == "no_teller"

    asyncio.run(run())


def test_refusals_of_a_companion_say_what_would_be_accepted(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME, Viewer.PLAYER)) as client:
            campaign = (await call(client, "start_campaign", operation_id="begin", language="en"))["campaign"]
            wrong = {"operation_id": "one", "choice": "fly"}
            refused = await refusal(client, "choose", campaign=campaign, **wrong)
            assert (refused["code"], refused["hint"][:16]) == ("no_such_choice", "The choices are ")
            answer = {"operation_id": "two", "decision": "check", "option": "roll"}
            refused = await refusal(client, "answer_decision", campaign=campaign, **answer)
            assert refused["hint"] == "Open decisions: none."
            listed = await client.list_resources()
            names = {one.uri.rpartition("/")[2] for one in listed.resources}
            assert names == {"view", "sheet", "rolls", "story"}
            assert all(one.annotations is None for one in listed.resources)
            (message,) = (await client.get_prompt("go_on")).messages
            assert "companion" in str(getattr(message.content, "text", ""))

    asyncio.run(run())
