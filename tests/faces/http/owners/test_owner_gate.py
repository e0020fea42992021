"""The gate of a host: who is known gets the services of their own, and nobody those of another."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

import httpx
import pytest
from starlette.applications import Starlette

from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.api_services import SERVICES, ApiServices
from talewright.faces.http.guards.browser_login import BrowserLogin
from talewright.faces.http.owners.owner_gate import OwnerGate
from talewright.faces.http.owners.owner_services import OwnerServices
from talewright.faces.http.owners.token_login import make_token_login_routes
from talewright.faces.http.signed_values import read_owner_claim
from talewright.play.campaign_view import Viewer
from talewright.play.serving.owner_lookup import OwnerIdentity, SingleOwner

COOKIE = "talewright"
PORT = 8734
NOW = 1_800_000_000.0
TOKENS = {"ann": "tw_the-token-of-ann", "bob": "tw_the-token-of-bob"}


class TwoOwners:
    """An OwnerLookup."""

    def __init__(self) -> None:
        self.owners = {owner: SingleOwner(owner, token) for owner, token in TOKENS.items()}

    async def find_by_token(self, token: str) -> OwnerIdentity | None:
        found = [await one.find_by_token(token) for one in self.owners.values()]
        return next(filter(None, found), None)

    async def find_by_id(self, owner: str) -> OwnerIdentity | None:
        return self.owners[owner].identity if owner in self.owners else None

    async def find_by_token_id(self, token_id: str) -> OwnerIdentity | None:
        return None


@dataclass
class NamedServices:
    """Services that know whose they are."""

    owner: str
    rules: AccessRules

    async def close(self) -> None:
        pass


async def find_birth(campaign: str) -> str:
    return f"the birth of {campaign}"


class Host:
    """A gate before an application that says whose services it was given, and the login pages."""

    def __init__(self, *, secure: bool = False) -> None:
        self.lookup = TwoOwners()
        self.logins: dict[str, BrowserLogin] = {}
        services = OwnerServices(self.make_services)
        self.gate = OwnerGate(self.tell, self.lookup, services, self.login_of, COOKIE, secure=secure)
        self.heard: list[str] = []
        routes = make_token_login_routes(self.lookup, self.login_of, COOKIE)
        self.pages = Starlette(routes=routes)

    def login_of(self, owner: OwnerIdentity) -> BrowserLogin:
        if owner.id not in self.logins:
            self.logins[owner.id] = BrowserLogin(owner.key, PORT, lambda: NOW, cookie=COOKIE, owner=owner.id)
        return self.logins[owner.id]

    def make_services(self, owner: OwnerIdentity) -> ApiServices:
        return cast(ApiServices, NamedServices(owner.id, self.make_rules(owner)))

    def make_rules(self, owner: OwnerIdentity) -> AccessRules:
        login = self.login_of(owner)
        return AccessRules(
            owner.has, owner.key, login.is_logged_in, owner.id, find_birth=find_birth, now=lambda: NOW
        )

    async def tell(self, scope: Any, receive: Any, send: Any) -> None:
        self.heard.append(scope["type"])
        if scope["type"] != "http":
            return
        if scope["path"].startswith("/log"):
            await self.pages(scope, receive, send)
            return
        services = scope.get(SERVICES)
        body = "nobody" if services is None else services.owner
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body.encode()})


def visit(use: Callable[[Host, httpx.AsyncClient], Awaitable[None]], *, secure: bool = False) -> None:
    async def run() -> None:
        host = Host(secure=secure)
        transport = httpx.ASGITransport(host.gate)
        origin = "https://play.example.org"
        async with asyncio.timeout(20), httpx.AsyncClient(transport=transport, base_url=origin) as client:
            await use(host, client)

    asyncio.run(run())


async def whose(client: httpx.AsyncClient, *headers: tuple[str, str]) -> str:
    client.cookies.clear()
    return (await client.get("/", headers=list(headers))).text


@pytest.mark.parametrize("owner", TOKENS)
def test_a_token_opens_the_services_of_its_owner(owner: str) -> None:
    async def use(host: Host, client: httpx.AsyncClient) -> None:
        token = TOKENS[owner]
        assert await whose(client, ("Authorization", f"Bearer {token}")) == owner
        assert await whose(client, ("authorization", f"bearer {token}"), ("X-Other", "Bearer x")) == owner
        narrow = await host.make_rules(host.lookup.owners[owner].identity).make_token("road", Viewer.PLAYER)
        assert narrow is not None
        assert read_owner_claim(narrow.text) == owner
        assert await whose(client, ("Authorization", f"Bearer {narrow.text}")) == owner

    visit(use)


def test_whoever_is_unknown_has_no_services() -> None:
    async def use(host: Host, client: httpx.AsyncClient) -> None:
        bob = host.lookup.owners["bob"].identity
        cookie = host.login_of(bob).start_session().partition(";")[0]
        assert await whose(client) == "nobody"
        for header in ("Bearer tw_wrong", "Bearer", "", f"Basic {TOKENS['ann']}"):
            # A cookie does not help whoever brings a wrong token.
            assert await whose(client, ("Authorization", header), ("Cookie", cookie)) == "nobody"
        assert await whose(client, ("Cookie", f"{COOKIE}=forged")) == "nobody"
        # Of two tokens, the first counts.
        both = [("Authorization", f"Bearer {one}") for one in ("tw_wrong", TOKENS["ann"])]
        assert await whose(client, *both) == "nobody"
        # Bob can write a cookie that names Ann, but not sign it with her key.
        forged = BrowserLogin(bob.key, PORT, lambda: NOW, cookie=COOKIE, owner="ann").start_session()
        assert await whose(client, ("Cookie", forged.partition(";")[0])) == "nobody"

    visit(use)


@pytest.mark.parametrize("secure", [False, True])
def test_a_browser_logs_in_with_a_token_and_out_again(secure: bool) -> None:
    async def use(host: Host, client: httpx.AsyncClient) -> None:
        page = await client.get("/login")
        assert (page.status_code, "www-authenticate" in page.headers) == (200, False)
        assert "Log in" in page.text
        for form in ({"token": "tw_wrong"}, {"token": ""}, {}):
            refused = await client.post("/login", data=form)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
            assert 'role="alert"' in refused.text
            assert "set-cookie" not in refused.headers
        entered = await client.post("/login", data={"token": f" {TOKENS['ann']} "})
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        header = entered.headers["set-cookie"]
        assert header.endswith("; Secure") is secure
        cookie = ("Cookie", header.partition(";")[0])
        assert await whose(client, cookie) == "ann"
        left = await client.post("/logout", headers=[cookie])
        assert left.headers["set-cookie"].startswith(f"{COOKIE}=; Path=/; Max-Age=0; ")
        # The session has ended, not only in this browser.
        assert await whose(client, cookie) == "nobody"

    visit(use, secure=secure)


def test_what_is_no_request_passes_through() -> None:
    async def use(host: Host, client: httpx.AsyncClient) -> None:
        await host.gate({"type": "lifespan"}, cast(Any, None), cast(Any, None))
        assert host.heard == ["lifespan"]

    visit(use)
