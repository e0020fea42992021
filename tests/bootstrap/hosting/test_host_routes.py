"""Every route of a host: which there are, and that no owner reaches a campaign of another by any of them."""

import asyncio
import json
from dataclasses import replace
from functools import partial

import pytest

from talewright.chronicle.store import UnsavedError
from talewright.common.json_values import Json
from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.signed_values import ValueSigner
from talewright.play.campaign_view import Viewer
from talewright.play.serving.campaign_audit import read_birth
from talewright.play.serving.owner_quotas import HOST_QUOTAS
from talewright.stores.postgres.postgres_writer import PostgresWriter
from tests.bootstrap.hosting.host_app import GAME, HostApp, host_app
from tests.bootstrap.serving.raw_requests import Received, send_request
from tests.bootstrap.serving.test_route_matrix import OPEN, ROWS, Row, find_routes
from tests.opened import opened

MANY_401 = replace(HOST_QUOTAS, bad_tokens=None)
"""How many requests without a token an address may send is tested elsewhere."""

MISSING = "nowhere"
LAPTOP = ("/api/models", "/models", "/author", "/play/{campaign}/author", "/play/{campaign}/inspect")
"""Where routes begin that paste keys, probe addresses, search the machine or reload folders."""

ENDING = (
    "DELETE /api/campaigns/{campaign}",
    "POST /play/{campaign}/remove",
    "POST /api/campaigns/{campaign}/close",
)
"""Routes after which a campaign cannot be played any more."""

ONLY_LAPTOP = ("POST /api/games/scenario",)
HOST_OPEN = {**OPEN, "GET /login": 200, "POST /login": 401}
"""Routes without a token: on a host, `/login` shows a form."""


def is_laptop(row: Row) -> bool:
    """Whether a route answers 404 on a host."""
    return row.route in ONLY_LAPTOP or row.route.split()[1].startswith(LAPTOP)


def has_route(row: Row) -> bool:
    """Whether the application of a host knows a route at all: it has no such pages."""
    return not is_laptop(row) or "/api/" in row.route


async def ask(host: HostApp, token: str, row: Row, campaign: str, **words: str) -> Received:
    """Send the request of a row for a campaign."""
    given = {"campaign": campaign, "game": GAME, "variable": "oil", "name": "here", "trial": "t", **words}
    method, path = row.route.replace(":path", "").split()
    target = path.format(**given) + (f"?{row.query.format(**given)}" if row.query else "")
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if row.body and path.startswith("/play"):
        headers["content-type"] = "application/x-www-form-urlencoded"
    return await send_request(host.app, method, target, headers, json=row.json, body=row.body)


async def begin(host: HostApp, owner: str, campaign: str) -> dict[str, str]:
    """Begin a campaign; returns what is known of it."""
    session = await opened(host.lobby_of(owner).begin(GAME, "en", campaign))
    head = (await session.view()).head
    await session.close()
    return {"head": head, "commit": head, "turn": head, "operation_id": "none"}


def test_a_host_has_these_routes(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, quotas=MANY_401) as host:
            ann = await host.add_owner("Ann")
            assert find_routes(host) == {row.route for row in ROWS if has_route(row)} | set(HOST_OPEN)
            known = await begin(host, ann, "road")
            for row in ROWS:
                answer = await ask(host, host.tokens[ann], row, "road", **known)
                is_page_of_nothing = row.route.endswith(("operations/{operation_id}", "{operation_id}"))
                if is_laptop(row):
                    assert answer.status == 404, row.route
                elif not is_page_of_nothing and "/master/" not in row.route:
                    assert answer.status < 500, (row.route, answer.body)
                    assert answer.status not in (401, 403), row.route
                if row.route in ENDING:
                    assert answer.status == 200, answer.body
                    if row.route.endswith("/close"):
                        await host.lobby_of(ann).remove("road")
                    known = await begin(host, ann, "road")
                nobody = await ask(host, "", row, "road", **known)
                if has_route(row):
                    assert nobody.status == 401, row.route
            for route, status in HOST_OPEN.items():
                method, path = route.split()
                answer = await send_request(host.app, method, path)
                assert answer.status == status, route

    asyncio.run(run())


def test_a_campaign_of_another_owner_is_a_missing_one(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url, quotas=MANY_401) as host:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            known = await begin(host, ann, "harbor")
            await begin(host, bob, "own")
            before = await take_stock(host, ann)
            narrow = await make_narrow(host, bob, "harbor")
            for row in (row for row in ROWS if has_route(row) and "{campaign}" in row.route):
                theirs = await ask(host, host.tokens[bob], row, "harbor", **known)
                missing = await ask(host, host.tokens[bob], row, MISSING, **known)
                assert theirs.status == missing.status == 404, (row.route, theirs.body)
                assert theirs.body.replace(b"harbor", b"") == missing.body.replace(MISSING.encode(), b"")
                # A token that Bob's key signed names no campaign of Ann's, whatever it says.
                signed = await ask(host, narrow, row, "harbor", **known)
                assert signed.status == 401, (row.route, signed.body)
            for path in ("/api/campaigns", "/", "/offline?kept=/play/harbor"):
                answer = await send_request(
                    host.app, "GET", path, {"authorization": f"Bearer {host.tokens[bob]}"}
                )
                assert answer.status == 200
                assert b"harbor" not in answer.body.replace(b"/play/harbor", b"")
            assert await take_stock(host, ann) == before

    asyncio.run(run())


def test_a_narrower_token_is_of_one_owner(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            await begin(host, ann, "road")
            await begin(host, bob, "road")
            async with host.client(host.tokens[ann]) as client:
                made = await client.post("/api/tokens", json={"campaign": "road", "role": "player"})
                assert made.status_code == 201
            token = made.json()["token"]
            async with host.client(token) as client:
                assert (await client.get("/api/campaigns/road/view")).status_code == 200
                assert (await client.get("/api/campaigns/road/cost")).status_code == 404
            # The same token with the name of another owner in it is not signed by that owner's key.
            store = host.lobby_of(bob).store
            guessed = AccessRules(
                lambda _: False, b"guessed", owner=bob, find_birth=partial(read_birth, store)
            )
            forged = await guessed.make_token("road", Viewer.PLAYER)
            assert forged is not None
            async with host.client(forged.text) as client:
                assert (await client.get("/api/campaigns/road/view")).status_code == 401
            claims: dict[str, Json] = {
                "campaign": "road",
                "role": "player",
                "id": "x",
                "until": 2**40,
                "birth": "x",
            }
            unnamed = ValueSigner(b"guessed", "tw1").write(claims)
            async with host.client(unnamed) as client:
                assert (await client.get("/api/campaigns/road/view")).status_code == 401

    asyncio.run(run())


def test_a_narrower_token_ends_with_its_campaign(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            ann = await host.add_owner("Ann")
            await begin(host, ann, "road")
            async with host.client(host.tokens[ann]) as owner:
                made = await owner.post("/api/tokens", json={"campaign": "road", "role": "player", "days": 2})
                token = made.json()["token"]
                async with host.client(token) as client:
                    assert (await client.get("/api/campaigns/road/view")).status_code == 200
                    assert (await owner.delete("/api/campaigns/road")).status_code == 200
                    assert (await client.get("/api/campaigns/road/view")).status_code == 401
                    # The next campaign of this name is another one.
                    await begin(host, ann, "road")
                    assert (await client.get("/api/campaigns/road/view")).status_code == 401
                    assert (await client.get("/api/campaigns")).status_code == 401

    asyncio.run(run())


async def make_narrow(host: HostApp, owner: str, campaign: str) -> str:
    """A token that an owner's own key has signed for a campaign that is not theirs."""
    identity = await host.directory.find_by_id(owner)
    assert identity is not None

    async def find_any(name: str) -> str:
        return "a birth"

    rules = AccessRules(lambda _: False, identity.key, owner=owner, find_birth=find_any)
    made = await rules.make_token(campaign, Viewer.AUTHOR)
    assert made is not None
    return made.text


async def take_stock(host: HostApp, owner: str) -> list[str]:
    """Every campaign of an owner with its turns and branches."""
    lobby, found = host.lobby_of(owner), []
    for campaign in sorted(one.name for one in await lobby.campaigns()):
        session = await lobby.open(campaign, Viewer.AUTHOR)
        found.append(f"{campaign}: {await session.past.tree(every=True)} {(await session.view()).head}")
        await session.close()
    return found


def test_players_on_a_host_read_no_commands_that_they_cannot_run(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            owner = await host.add_owner("Ann")
            async with host.client(host.tokens[owner]) as client:
                begun = await client.post("/api/campaigns", json={"game": GAME})
                place, opening = begun.headers["location"], begun.headers.get("talewright-opening", "")
                await client.get(f"{place}/operations/{opening}", params={"wait": 10})
                choice = (await client.get(f"{place}/view")).json()["choices"][0]["id"]

                async def refuse(*wanted: object) -> None:
                    raise UnsavedError("the database takes no more data")

                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(PostgresWriter, "_commit", refuse)
                    answer = await client.post(
                        f"{place}/turns", params={"wait": 10}, json={"kind": "choose", "choice": choice}
                    )
                result = answer.json()
                assert (result["kind"], result["reason"]) == ("failed", "unsaved"), result
                assert "disk" not in result["message"]
                assert "tries again" in result["message"]

    asyncio.run(run())


def test_a_node_serves_nothing_of_a_campaign_that_another_node_has_removed(database_url: str) -> None:
    async def run() -> None:
        async with host_app(database_url) as host:
            ann = await host.add_owner("Ann")
            elsewhere = host.lobby_of(ann)

            async def get(path: str, token: str) -> Received:
                headers = {"authorization": f"Bearer {token}"}
                return await send_request(host.app, "GET", f"/api/campaigns/road{path}", headers)

            old = await begin(host, ann, "road")
            token = await make_player(host, "road", host.tokens[ann])
            for path in ("/view", "/tree", "/news?after=0"):
                assert (await get(path, token)).status == 200, path
            assert old["head"].encode() in (await get("/tree", token)).body
            await elsewhere.remove("road")
            assert (await get("/view", host.tokens[ann])).status == 404
            new = await begin(host, ann, "road")
            assert (await get("/view", token)).status == 401
            token = await make_player(host, "road", host.tokens[ann])
            for path in ("/view", "/tree", "/news?after=0"):
                answer = await get(path, token)
                assert answer.status == 200, (path, answer.body)
                assert old["head"].encode() not in answer.body, path
            assert new["head"].encode() in (await get("/tree", token)).body

    asyncio.run(run())


async def make_player(host: HostApp, campaign: str, token: str) -> str:
    """A player's token for a campaign."""
    answer = await send_request(
        host.app,
        "POST",
        "/api/tokens",
        {"authorization": f"Bearer {token}"},
        json={"campaign": campaign, "role": "player"},
    )
    return str(json.loads(answer.body)["token"])
