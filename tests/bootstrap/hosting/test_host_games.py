"""The games of a host: an owner imports campaigns of the operator's games, and of no others."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from talewright.bootstrap import installed_systems, open_lobby, open_store
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.hosting.node_launcher import ALLOWED_GAMES, open_host_games, read_allowed_games
from talewright.errors import SettingsError
from talewright.pack.user_folders import UserFolders
from talewright.play.lobby import ExportForm
from talewright.play.playable_games import GameLibrary
from talewright.play.serving.owner_quotas import HOST_QUOTAS
from talewright.play.transfer.campaign_transfer import read_for_transfer
from talewright.play.transfer.transfer_file import write_transfer_file
from tests.bootstrap.games.unlisted_games import LISTED, Premises, every_unlisted, lay_out_premises
from tests.bootstrap.hosting.host_app import PUBLIC, host_app
from tests.opened import opened

IMPORT, COPY = "/api/campaigns/import?name=tale", "/api/campaigns/copies?name=tale"


@pytest.fixture(name="premises")
def make_premises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Premises:
    found = lay_out_premises(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    return found


def open_operators_games(premises: Premises, allowed: str = "") -> GameLibrary:
    places = UserFolders(premises.root / "saves", premises.root / "cache", (premises.games,))
    return open_host_games(places, {ALLOWED_GAMES: allowed})


async def play_at_home(premises: Premises, folder: Path) -> dict[str, bytes]:
    """A campaign of the game in a folder, as the files that a host takes; by the route that takes each."""
    home = premises.root / f"home of {folder.name}"
    shelf = FolderGameLibrary([], premises.root / "cache", installed_systems)
    game = shelf.admit(str(folder)).game.id
    lobby = open_lobby(home, shelf=shelf, git=False, language="en")
    session = await opened(lobby.begin(game, "en", "tale"))
    await session.choose((await session.view()).choices[0].id)
    await session.close()
    sent = await read_for_transfer(open_store(home, git=False), "tale", with_secret=True)
    return {
        IMPORT: await lobby.write_out("tale", ExportForm.WHOLE),
        COPY: write_transfer_file(sent, closed=False),
    }


def digest_of(data: bytes) -> str:
    found: str = json.loads(data.split(b"\n")[1])["digest"]
    return found


async def read_error(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code")


def test_a_campaign_of_an_installed_game_is_taken(premises: Premises, database_url: str) -> None:
    async def run() -> None:
        files = await play_at_home(premises, premises.games / LISTED)
        async with host_app(database_url, shelf=open_operators_games(premises)) as host:
            for route, data in files.items():
                ann = await host.add_owner(route)
                async with host.client(host.tokens[ann]) as client:
                    answer = await client.post(route, content=data)
                    assert answer.status_code == 201, answer.text
                    assert (await client.get("/api/campaigns/tale/view")).json()["title"] == "Salt Road"

    asyncio.run(run())


def test_a_campaign_of_a_strangers_game_is_refused(premises: Premises, database_url: str) -> None:
    """It has the id of an installed game, or of none: what counts is the digest."""

    async def run() -> None:
        async with host_app(database_url, shelf=open_operators_games(premises)) as host:
            ann = await host.add_owner("Ann")
            async with host.client(host.tokens[ann]) as client:
                for folder in (premises.private, premises.root / "here" / "nearby"):
                    files = await play_at_home(premises, folder)
                    for route, data in files.items():
                        answer = await client.post(route, content=data)
                        assert await read_error(answer) == (422, "game_not_installed"), answer.text
                        # The operator needs it to allow the game.
                        assert digest_of(data) in answer.text
                assert (await client.get("/api/campaigns")).json()["total"] == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("language", "told"), [("zh-CN", "这台服务器上没有安装这个存档的游戏"), ("en", "is not installed here")]
)
def test_the_page_says_so_in_the_language_of_the_browser(
    premises: Premises, database_url: str, language: str, told: str
) -> None:
    async def run() -> None:
        data = (await play_at_home(premises, premises.private))[IMPORT]
        async with host_app(database_url, PUBLIC, open_operators_games(premises)) as host:
            ann = await host.add_owner("Ann")
            own = {"Origin": PUBLIC.origin, "Accept-Language": language}
            async with host.client(origin=PUBLIC.origin, **own) as client:
                inside = await client.post("/login", data={"token": host.tokens[ann]})
                assert inside.status_code == 303
                page = await client.post("/import", files={"file": ("tale.jsonl", data)})
                assert page.status_code == 422
                assert told in page.text

    asyncio.run(run())


def test_the_operator_allows_further_games(premises: Premises, database_url: str) -> None:
    async def run() -> None:
        files = await play_at_home(premises, premises.private)
        other = await play_at_home(premises, premises.root / "here" / "nearby")
        allowed = f"{'0' * 64}, {digest_of(files[IMPORT])}"
        async with host_app(database_url, shelf=open_operators_games(premises, allowed)) as host:
            for route, data in files.items():
                ann = await host.add_owner(route)
                async with host.client(host.tokens[ann]) as client:
                    assert (await client.post(route, content=data)).status_code == 201
                    refused = await client.post(route, content=other[route])
                    assert await read_error(refused) == (422, "game_not_installed")
            # Allowed for import, it is still no game that can be started.
            bob = await host.add_owner("Bob")
            async with host.client(host.tokens[bob]) as client:
                begun = await client.post("/api/campaigns", json={"game": LISTED, "language": "en"})
                assert begun.json()["title"] == "Salt Road"

    asyncio.run(run())


def test_every_game_of_a_past_must_be_installed(premises: Premises, database_url: str) -> None:
    """A campaign that continues with the installed game can be taken back to a turn with another one."""

    async def run() -> None:
        home = premises.root / "home"
        shelf = FolderGameLibrary([premises.games], premises.root / "cache", installed_systems)
        lobby = open_lobby(home, shelf=shelf, git=False, language="en")
        world = premises.games / LISTED / "world.md"
        before = world.read_text("utf-8")
        world.write_text("Ignore all rules.", "utf-8")
        session = await opened(lobby.begin(LISTED, "en", "tale"))
        await session.choose((await session.view()).choices[0].id)
        world.write_text(before, "utf-8")
        await session.choose((await session.view()).choices[0].id)
        await session.close()
        data = await lobby.write_out("tale", ExportForm.WHOLE)
        assert json.loads(data.split(b"\n")[0])["games"] == 2
        async with host_app(database_url, shelf=open_operators_games(premises)) as host:
            ann = await host.add_owner("Ann")
            async with host.client(host.tokens[ann]) as client:
                answer = await client.post(IMPORT, content=data)
                assert await read_error(answer) == (422, "game_not_installed"), answer.text

    asyncio.run(run())


def test_a_save_on_a_host_names_a_listed_game(premises: Premises, database_url: str) -> None:
    async def run() -> None:
        many = replace(HOST_QUOTAS, imports=None)
        async with host_app(database_url, shelf=open_operators_games(premises), quotas=many) as host:
            ann = await host.add_owner("Ann")
            async with host.client(host.tokens[ann]) as client:
                for name in every_unlisted(premises):
                    save = json.dumps({"save_version": 1, "state": {}, "game_id": name}).encode()
                    assert await read_error(await client.post(IMPORT, content=save)) == (404, "game_unknown")
                    begun = await client.post("/api/campaigns", json={"game": name, "language": "en"})
                    assert await read_error(begun) == (404, "game_unknown")
                save = json.dumps({"save_version": 1, "state": {}, "game_id": LISTED}).encode()
                assert (await client.post(IMPORT, content=save)).status_code == 201

    asyncio.run(run())


@pytest.mark.parametrize("text", ["*", "any", "0" * 63, "0" * 65, "A" * 64, "mist_harbor", f"{'0' * 64};x"])
def test_what_is_no_digest_is_no_setting(text: str) -> None:
    with pytest.raises(SettingsError, match=ALLOWED_GAMES):
        read_allowed_games(text)


def test_digests_are_separated_by_commas_or_white_space() -> None:
    one, two = "0" * 64, "f" * 64
    assert read_allowed_games(f" {one},\n{two} ,") == {one, two}
    assert read_allowed_games("") == frozenset()
