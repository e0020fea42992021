"""The login page: says how to log in, loads nothing, and its link logs a browser in once."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from talewright.faces.http.access_grants import AccessDenied, AccessRules
from talewright.faces.http.guards.browser_login import BrowserLogin
from talewright.faces.http.guards.login_page import STYLE_HASH, ask_for_login, make_login_routes
from talewright.faces.http.guards.request_guards import RequestGuards

ORIGIN = "http://127.0.0.1:8734"
OWNER = "the-token-of-the-owner"


def visit(look: Callable[[httpx.AsyncClient, BrowserLogin], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        login = BrowserLogin(b"secret", 8734, lambda: 1_800_000_000.0)
        rules = AccessRules(lambda given: given == OWNER, b"secret", login.is_logged_in)

        async def show_start(request: Request) -> Response:
            try:
                await rules.read_grant(request.headers)
            except AccessDenied:
                return ask_for_login()
            return PlainTextResponse("You are logged in")

        routes = [Route("/", show_start), *make_login_routes(login)]
        app = RequestGuards(Starlette(routes=routes), 8734)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client:
            await look(client, login)

    asyncio.run(run())


def test_a_stranger_is_told_how_to_log_in() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        answer = await client.get("/")
        assert answer.status_code == 401
        assert "talewright serve --link" in answer.text
        assert "set-cookie" not in answer.headers
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert f"style-src 'sha256-{STYLE_HASH}'" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        # Nothing is loaded, from here or elsewhere.
        assert not re.findall(r"<script|<img|<link|<iframe|src=|https?:", answer.text)

    visit(look)


def test_a_link_logs_in_once() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        link = login.make_link(ORIGIN)
        assert (await client.head(link)).status_code == 200
        answer = await client.get(link)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert login.cookie in client.cookies
        assert "You are logged in" in (await client.get("/")).text
        foreign = await client.get("/", headers={"Sec-Fetch-Site": "same-site"})
        assert foreign.status_code == 401
        again = await client.get(link)
        assert again.status_code == 401
        assert "set-cookie" not in again.headers
        assert (await client.get("/login")).status_code == 401

    visit(look)
