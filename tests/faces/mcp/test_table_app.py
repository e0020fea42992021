"""The table app: which clients get it and for which tools, what it holds, and what never reaches it."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp_types import CallToolResult, TextResourceContents

from talewright.common.word_catalogues import interface_languages, load_words
from talewright.faces import web
from talewright.faces.mcp.app_words import AppWords
from talewright.faces.mcp.table_app import TABLE_KEY, TABLE_URI, make_table_document
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import MODES, call, http_client, http_servers, make_test_server
from tests.faces.mcp.test_canaries import connect, tell_turns
from tests.play.making import make_lobby
from tests.privacy import canary_edition, find_canaries

APPS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
OTHER_APPS = advertise(EXTENSION_ID, {"mimeTypes": ["text/html;profile=other"]})
PAGES = Path(web.__file__).parent / "static"
DRAWN = {"view", "say", "choose", "answer_decision", "go_on", "undo"}


def find_drawn(tools: Any) -> set[str]:
    return {one.name for one in tools.tools if (one.meta or {}).get("ui") == {"resourceUri": TABLE_URI}}


def table_of(result: CallToolResult) -> Any:
    return (result.meta or {}).get(TABLE_KEY)


@pytest.mark.parametrize("mode", MODES)
def test_clients_with_apps_get_the_table(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        server = await make_test_server(tmp_path, "mist_harbor", Viewer.PLAYER)
        async with Client(server, mode=mode, extensions=[APPS]) as client:
            assert server.get_capabilities().extensions == {EXTENSION_ID: {}}
            assert find_drawn(await client.list_tools()) == DRAWN
            assert TABLE_URI in {one.uri for one in (await client.list_resources()).resources}
            (contents,) = (await client.read_resource(TABLE_URI)).contents
            assert isinstance(contents, TextResourceContents)
            assert (contents.mime_type, contents.text[:15]) == (APP_MIME_TYPE, "<!doctype html>")
            assert contents.meta == {"ui": {"prefersBorder": True}}, "it asks for no domain"
            begun = await call(client, "start_campaign", operation_id="op", language="en")
            where = {"campaign": begun["campaign"]}
            table = table_of(await client.call_tool("view", where))
            assert table["view"]["viewer"] == "player"
            choice = table["view"]["choices"][0]["id"]
            taken = await client.call_tool("choose", {**where, "operation_id": "one", "choice": choice})
            assert table_of(taken)["view"]["version"] == table["view"]["version"] + 1
            assert (
                table_of(taken)["view"]["turn"]["narration"] == taken.structured_content["view"]["narration"]
            )
            assert table_of(await client.call_tool("story", where)) is None

    asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_a_game_master_shows_the_player_the_table(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        server = await make_test_server(tmp_path, "chapel_watch")
        async with Client(server, mode=mode, extensions=[APPS]) as client:
            # Nothing else is: a frame also gets what a tool was called with and what it answered.
            assert find_drawn(await client.list_tools()) == {"show_table"}
            begun = await call(client, "start_campaign", operation_id="op", language="en")
            where = {"campaign": begun["campaign"]}
            before = await client.call_tool("show_table", where)
            assert table_of(before)["view"]["turn"] is None, "nobody else tells the opening"
            opened = await call(client, "begin_turn", **where, operation_id="one")
            await call(client, "finish_turn", **where, turn=opened["turn"], narration="It is dark.")
            shown = await client.call_tool("show_table", where)
            table = table_of(shown)
            assert table["view"]["viewer"] == "player"
            assert table["view"]["turn"]["narration"].endswith("It is dark.")
            assert table["view"]["free_text"]
            assert shown.structured_content["version"] == 1
            assert shown.content[0].annotations is None, "it is for the user's eyes"

    asyncio.run(run())


@pytest.mark.parametrize("extensions", [[], [OTHER_APPS]], ids=["none", "other"])
@pytest.mark.parametrize("mode", MODES)
def test_clients_without_apps_get_the_text(mode: str, extensions: list[Any], tmp_path: Path) -> None:
    async def run() -> None:
        for role, game in ((Viewer.PLAYER, "mist_harbor"), (Viewer.MASTER, "chapel_watch")):
            server = await make_test_server(tmp_path / role, game, role)
            async with Client(server, mode=mode, extensions=extensions) as client:
                tools = await client.list_tools()
                assert all(one.meta is None for one in tools.tools)
                assert "show_table" not in {one.name for one in tools.tools}
                assert TABLE_URI not in {one.uri for one in (await client.list_resources()).resources}
                begun = await call(client, "start_campaign", operation_id="op", language="en")
                if role is Viewer.PLAYER:
                    seen = await client.call_tool("view", {"campaign": begun["campaign"]})
                    assert seen.meta is None or TABLE_KEY not in seen.meta
                    assert seen.structured_content["narration"]

    asyncio.run(run())


@pytest.mark.process
def test_clients_that_cannot_say_may_draw(tmp_path: Path) -> None:
    async def run() -> None:
        with http_servers(tmp_path, "--game", "chapel_watch", count=1) as servers:
            async with http_client(servers, "legacy") as (client, _):
                assert find_drawn(await client.list_tools()) == {"show_table"}

    asyncio.run(run())


def test_nothing_hidden_reaches_the_app() -> None:
    async def run() -> None:
        lobby, told = make_lobby(canary_edition(), language="en"), list[str]()
        async with connect(lobby, Viewer.MASTER, APPS) as master:
            campaign = await tell_turns(master, told)
            drawn = [(await master.read_resource(TABLE_URI)).model_dump_json()]
            drawn.append((await master.call_tool("show_table", {"campaign": campaign})).model_dump_json())
            unknown = await master.call_tool("show_table", {"campaign": "another"})
            drawn.append(unknown.model_dump_json())
        async with connect(lobby, Viewer.PLAYER, APPS) as companion:
            where = {"campaign": campaign}
            for name, more in (
                ("view", {}),
                ("answer_decision", {"decision": "vault", "option": "yes"}),
                ("say", {"text": "I wait."}),
                ("go_on", {}),
                ("undo", {"version": 2}),
            ):
                operation = {} if name in ("view", "undo") else {"operation_id": f"player-{name}"}
                result = await companion.call_tool(name, {**where, **operation, **more})
                drawn.append(result.model_dump_json())
        found = "\n".join(drawn)
        assert "The wind turns" in found
        assert [found[max(0, at - 60) : at + 60] for at in find_canaries(found)] == []
        # There was something to be found.
        assert find_canaries("\n".join(told))

    asyncio.run(run())


def test_the_document_is_whole_and_fetches_nothing() -> None:
    document = make_table_document(Viewer.PLAYER, "proof")
    assert document.startswith("<!doctype html>")
    assert re.findall(r"\{(?:style|words|about|script)\}", document) == []
    assert re.findall(r"(?:src|href)=|url\(|https?://(?!www\.w3\.org)", document) == []
    assert re.findall(r"^(?:import|export) ", document, re.MULTILINE) == []
    assert "default-src 'none'" in document
    for sink in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "Function(", "document.write"):
        assert sink not in document
    # The parts are the browser's own.
    for name in ("page.css", "components.js", "panels.js"):
        text = (PAGES / name).read_text("utf-8")
        assert re.sub(r"^import .*\n", "", text, flags=re.MULTILINE).replace("export ", "") in document
    assert 'from "./components.js"' in (PAGES / "live.js").read_text("utf-8")
    (words,) = re.findall(r'id="words">(.*?)</script>', document)
    assert set(json.loads(words)) == set(interface_languages())


@pytest.mark.parametrize("language", interface_languages())
def test_the_app_says_what_the_pages_say(language: str) -> None:
    words, pages = load_words(AppWords, "mcp_app", language), web_words(language)
    for name in ("turn", "you", "dice", "colon", "critical", "choices", "risks", "free", "fixed", "send"):
        assert getattr(words, name) == getattr(pages, name)
    for name in ("note", "unfinished", "wait", "the_end", "won", "lost", "map", "graph"):
        assert getattr(words, name) == getattr(pages, name)
