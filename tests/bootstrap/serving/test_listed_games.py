"""Only listed games: over HTTP and MCP, in saves and in scenarios, no name of a game leads to a folder."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import installed_systems, open_lobby
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.games.scenario_games import ScenarioImporter
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import ExportForm
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.folder.listing_file import encode_listing, parse_listing
from tests.bootstrap.games.unlisted_games import (
    LISTED,
    PRIVATE_TITLE,
    TITLE,
    Premises,
    every_unlisted,
    lay_out_premises,
)
from tests.bootstrap.serving.whole_server import ORIGIN, TOKEN, WholeServer, whole_server
from tests.opened import opened
from tests.systems.world.scenarios.tankard import TANKARD

LISTING = ["by_id", LISTED]


@pytest.fixture(name="premises")
def make_premises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Premises:
    found = lay_out_premises(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    return found


def make_lobby(premises: Premises) -> StoreLobby:
    shelf = FolderGameLibrary([premises.games], premises.root / "cache", installed_systems)
    return open_lobby(premises.root / "saves", shelf=shelf, git=False, language="en")


@asynccontextmanager
async def serve(premises: Premises) -> AsyncIterator[tuple[WholeServer, StoreLobby]]:
    lobby = make_lobby(premises)
    importer = ScenarioImporter(premises.root / "own", installed_systems(), lobby.shelf.games)
    # More names are tried than anyone may import in a minute.
    quotas = replace(LOCAL_QUOTAS, imports=None)
    async with whole_server(lobby, import_scenario=importer, quotas=quotas) as server:
        yield server, lobby


async def check_untouched(lobby: StoreLobby) -> None:
    """Nothing was started, and the listed game is still the one that its id means."""
    assert [info.id for info in await lobby.games()] == LISTING
    assert await lobby.campaigns() == ()
    edition = lobby.shelf.latest(LISTED)
    assert edition is not None
    assert edition.words("en").get("title") == TITLE
    assert lobby.shelf.edition(LISTED) is edition


def test_the_api_starts_only_listed_games(premises: Premises) -> None:
    async def run() -> None:
        async with serve(premises) as (server, lobby), server.client(TOKEN) as client:
            for name in every_unlisted(premises):
                answer = await client.post("/api/campaigns", json={"game": name, "language": "en"})
                told = answer.json()
                assert (answer.status_code, told["code"]) == (404, "game_unknown"), (name, told)
                assert PRIVATE_TITLE not in answer.text
                assert str(premises.root) not in answer.text.replace(json.dumps(name)[1:-1], "")
            await check_untouched(lobby)
            started = await client.post("/api/campaigns", json={"game": LISTED, "language": "en"})
            assert (started.status_code, started.json()["title"]) == (201, TITLE)

    asyncio.run(run())


def test_the_form_of_the_browser_starts_only_listed_games(premises: Premises) -> None:
    async def run() -> None:
        async with serve(premises) as (server, lobby):
            cookie = await server.login.begin_session(server.login.make_code()) or ""
            headers = {"Cookie": cookie.partition(";")[0], "Origin": ORIGIN}
            async with server.client(**headers) as client:
                for name in every_unlisted(premises):
                    answer = await client.post("/start", data={"game": name, "language": "en"})
                    assert answer.status_code == 404, (name, answer.text)
                    assert PRIVATE_TITLE not in answer.text
            await check_untouched(lobby)

    asyncio.run(run())


def test_a_save_names_a_listed_game(premises: Premises) -> None:
    """It may be imported through the API, by the form of the lobby and, with its own `bring_in`, anywhere."""

    async def run() -> None:
        async with serve(premises) as (server, lobby), server.client(TOKEN) as client:
            save: dict[str, Any] = {"save_version": 1, "state": {}}
            for name in every_unlisted(premises):
                data = json.dumps({**save, "game_id": name}).encode()
                answer = await client.post("/api/campaigns/import", content=data)
                assert (answer.status_code, answer.json()["code"]) == (404, "game_unknown"), (
                    name,
                    answer.text,
                )
            await check_untouched(lobby)
            good = await client.post(
                "/api/campaigns/import", content=json.dumps({**save, "game_id": LISTED}).encode()
            )
            assert good.status_code == 201, good.text

    asyncio.run(run())


def test_what_a_saved_game_calls_itself_is_not_looked_up_as_a_path(premises: Premises) -> None:
    """Neither the newest edition nor the faults of a folder come from the id of a pinned game."""
    shelf = make_lobby(premises).shelf
    faulty = premises.root / "faulty"
    faulty.mkdir()
    (faulty / "game.yaml").write_text("a_secret_line: here\n", "utf-8")
    for name in (*every_unlisted(premises), str(faulty), "../faulty", "~/faulty"):
        assert shelf.latest(name) is None, name
        if name != "broken":
            assert shelf.find_faults(name) == (), name
    # What is listed, or would be if it had no faults, is found by the name of its folder.
    assert shelf.find_faults("broken") != ()


def test_mcp_serves_only_campaigns_of_listed_games(premises: Premises) -> None:
    """The record of a campaign that someone has changed names a folder."""

    async def run() -> None:
        async with serve(premises) as (server, lobby):
            session = await lobby.begin(LISTED, "en", "tale", Viewer.MASTER)
            await session.close()
            card = premises.root / "saves" / "tale" / "campaign.json"
            listing = parse_listing(card.read_bytes())
            assert listing is not None
            about = {**listing.about, "game": str(premises.private)}
            card.write_bytes(encode_listing(replace(listing, about=about)))
            assert [one.game for one in await lobby.campaigns()] == [str(premises.private)]
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            async with server.client(await server.token("tale", Viewer.MASTER)) as client:
                accept = {"Accept": "application/json, text/event-stream"}
                answer = await client.post("/mcp", json=body, headers=accept)
            assert (answer.status_code, answer.json()["code"]) == (404, "game_unknown")

    asyncio.run(run())


@pytest.mark.parametrize("name", ["salt_road", "by_id"])
def test_a_scenario_takes_no_id_of_a_listed_game(premises: Premises, name: str) -> None:
    """A new game must not stand in for an installed one, whatever the folder of that one is called."""

    async def run() -> None:
        async with serve(premises) as (server, lobby), server.client(TOKEN) as client:
            titled = {**TANKARD, "title": name.replace("_", " ")}
            for query, scenario in ((f"?name={name}", TANKARD), ("", titled)):
                data = json.dumps(scenario).encode()
                answer = await client.post(f"/api/games/scenario{query}", content=data)
                assert (answer.status_code, answer.json()["code"]) == (409, "name_taken"), answer.text
            await check_untouched(lobby)

    asyncio.run(run())


def test_an_export_holds_the_listed_game(premises: Premises) -> None:
    async def run() -> None:
        lobby = make_lobby(premises)
        session = await opened(lobby.begin(LISTED, "en", "tale"))
        await session.close()
        for form in ExportForm:
            assert PRIVATE_TITLE.encode() not in await lobby.write_out("tale", form)

    asyncio.run(run())
