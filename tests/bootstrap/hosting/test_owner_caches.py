"""What a node keeps in memory: two owners use the same names, and nothing of one reaches the other."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap.hosting.node_launcher import ALLOWED_GAMES, open_host_games
from talewright.faces.web.history.receipt_pages import REPORTS_KEPT_MAX
from talewright.pack.user_folders import UserFolders
from tests.bootstrap.games.unlisted_games import (
    LISTED,
    PRIVATE_TITLE,
    TITLE,
    Premises,
    every_unlisted,
    lay_out_premises,
)
from tests.bootstrap.hosting.host_app import PUBLIC, HostApp, host_app
from tests.bootstrap.hosting.test_host_games import IMPORT, digest_of, play_at_home

BEGIN = {"game": LISTED, "language": "en", "name": "tale", "operation_id": "the-same-one"}


@pytest.fixture(name="premises")
def make_premises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Premises:
    found = lay_out_premises(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    return found


@asynccontextmanager
async def two_owners(
    premises: Premises, database_url: str, allowed: str = ""
) -> AsyncIterator[tuple[HostApp, httpx.AsyncClient, httpx.AsyncClient]]:
    """A host, and clients of Ann and Bob: programs with tokens, browsers where they have logged in."""
    places = UserFolders(premises.root / "saves", premises.root / "cache", (premises.games,))
    shelf = open_host_games(places, {ALLOWED_GAMES: allowed})
    async with host_app(database_url, PUBLIC, shelf) as host:
        own = {"Origin": PUBLIC.origin}
        async with (
            host.client(origin=PUBLIC.origin, **own) as ann,
            host.client(origin=PUBLIC.origin, **own) as bob,
        ):
            for client, label in ((ann, "Ann"), (bob, "Bob")):
                owner = await host.add_owner(label)
                inside = await client.post("/login", data={"token": host.tokens[owner]})
                assert inside.status_code == 303
            yield host, ann, bob


async def read_titles(client: httpx.AsyncClient) -> list[str]:
    return [one["title"] for one in (await client.get("/api/games")).json()]


def test_the_shelf_holds_only_the_operators_games(premises: Premises, database_url: str) -> None:
    """Neither what Ann asks for nor what Ann imports changes what a game's id means to Bob."""

    async def run() -> None:
        stranger = (await play_at_home(premises, premises.private))[IMPORT]
        async with two_owners(premises, database_url, digest_of(stranger)) as (_, ann, bob):
            before = await read_titles(bob)
            for name in every_unlisted(premises):
                assert (await ann.post("/api/campaigns", json={**BEGIN, "game": name})).status_code == 404
            # The operator allows the game with this digest. It has the id of an installed one.
            assert (await ann.post(IMPORT, content=stranger)).status_code == 201
            assert PRIVATE_TITLE in (await ann.get("/")).text
            assert await read_titles(ann) == await read_titles(bob) == before
            begun = await bob.post("/api/campaigns", json=BEGIN)
            assert (begun.status_code, begun.json()["title"]) == (201, TITLE)
            assert PRIVATE_TITLE not in (await bob.get("/")).text

    asyncio.run(run())


def test_sessions_are_the_owners_own(premises: Premises, database_url: str) -> None:
    """Both have a campaign of one name, begun by one operation id, and take turns with one operation id."""

    async def run() -> None:
        async with two_owners(premises, database_url) as (_, ann, bob):
            heads = []
            for client in (ann, bob):
                begun = await client.post("/api/campaigns", json=BEGIN)
                assert begun.status_code == 201, begun.text
                opening = begun.headers["Talewright-Opening"]
                await client.get(f"/api/campaigns/tale/operations/{opening}?wait=20")
                heads.append((await client.get("/api/campaigns/tale/view")).json())
            choices = [one["id"] for one in heads[0]["choices"]]
            turn = {"kind": "choose", "choice": choices[0], "operation_id": "one-turn"}
            told = await ann.post("/api/campaigns/tale/turns?wait=60", json=turn)
            assert told.json()["kind"] == "committed", told.text
            # Bob's campaign has not moved, and Ann's operation is none of his.
            assert (await bob.get("/api/campaigns/tale/view")).json()["head"] == heads[1]["head"]
            assert (await bob.get("/api/campaigns/tale/operations/one-turn")).status_code == 404
            mine = await bob.post("/api/campaigns/tale/turns?wait=60", json={**turn, "choice": choices[-1]})
            assert mine.json()["kind"] == "committed"
            assert mine.json()["commit"] != told.json()["commit"]
            # What Ann removes is still there for Bob, and not begun again for Ann.
            assert (await ann.delete("/api/campaigns/tale")).status_code == 200
            assert (await ann.get("/api/campaigns/tale/view")).status_code == 404
            assert (await bob.get("/api/campaigns/tale/view")).json()["version"] == heads[1]["version"] + 1

    asyncio.run(run())


async def verify(client: httpx.AsyncClient, campaign: str) -> None:
    checked = await client.post(f"/play/{campaign}/receipts", data={"receipt": ""})
    assert checked.status_code == 303, checked.text


async def has_verdict(client: httpx.AsyncClient) -> bool:
    return "main-verdict" in (await client.get("/play/tale/receipts")).text


def test_pages_remember_nothing_of_another_owner(premises: Premises, database_url: str) -> None:
    """The verdict of a verification, and what the lobby says of campaigns and their cost."""

    async def run() -> None:
        async with two_owners(premises, database_url) as (_, ann, bob):
            for client in (ann, bob):
                assert (await client.post("/api/campaigns", json=BEGIN)).status_code == 201
            assert not await has_verdict(bob)
            await verify(ann, "tale")
            assert await has_verdict(ann)
            assert not await has_verdict(bob)
            # However much Bob verifies, it does not push out what Ann has seen.
            for number in range(REPORTS_KEPT_MAX + 1):
                name = f"tale-{number}"
                body = {**BEGIN, "name": name, "operation_id": name}
                assert (await bob.post("/api/campaigns", json=body)).status_code == 201
                await verify(bob, name)
            assert await has_verdict(ann)
            assert not await has_verdict(bob)
            await ann.get("/")
            await ann.delete("/api/campaigns/tale")
            assert "/play/tale" in (await bob.get("/")).text
            assert "/play/tale" not in (await ann.get("/")).text

    asyncio.run(run())


def test_texts_of_one_digest_are_the_same_for_both(premises: Premises, database_url: str) -> None:
    """Ann's file has other bytes under the digest of Bob's game. Neither gets the other's words."""

    async def run() -> None:
        files = await play_at_home(premises, premises.games / LISTED)
        good = files[IMPORT]
        head, game, *records = good.split(b"\n")
        swapped = json.loads(game.replace(TITLE.encode(), b"Swap Road"))
        wrong = b"\n".join([head, json.dumps(swapped, separators=(",", ":")).encode(), *records])
        async with two_owners(premises, database_url, digest_of(good)) as (_, ann, bob):
            refused = await ann.post(IMPORT, content=wrong)
            assert refused.status_code == 422
            taken = await bob.post(IMPORT, content=good)
            assert taken.status_code == 201
            assert (await bob.get("/api/campaigns/tale/view")).json()["title"] == TITLE

    asyncio.run(run())
