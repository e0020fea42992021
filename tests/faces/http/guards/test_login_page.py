"""The login page: says how to log in, loads nothing, and its link logs a browser in once."""

import asyncio
import html
import re
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from talewright.faces.http.access_grants import AccessDenied, AccessRules
from talewright.faces.http.guards.browser_login import BrowserLogin, name_server
from talewright.faces.http.guards.login_page import STYLE_HASH, ask_for_login, make_login_routes
from talewright.faces.http.guards.request_guards import HOST_NAMES, RequestGuards

ORIGIN = "http://127.0.0.1:8734"
OWNER = "the-token-of-the-owner"


NAME = name_server(b"secret", 8734)
NAMED = f"http://{NAME}:8734"
CHROMIUM = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36"}
FIREFOX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"}
SAFARI = {"User-Agent": "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML) Version/18.0 Safari/605.1.15"}


def visit(
    look: Callable[[httpx.AsyncClient, BrowserLogin], Coroutine[Any, Any, None]], host: str = ""
) -> None:
    async def run() -> None:
        login = BrowserLogin(b"secret", 8734, lambda: 1_800_000_000.0, host=host)
        rules = AccessRules(lambda given: given == OWNER, b"secret", login.is_logged_in)

        async def show_start(request: Request) -> Response:
            try:
                await rules.read_grant(request.headers)
            except AccessDenied:
                return ask_for_login(request.headers["host"])
            return PlainTextResponse("You are logged in")

        routes = [Route("/", show_start), *make_login_routes(login)]
        app = RequestGuards(Starlette(routes=routes), 8734, names=(*HOST_NAMES, NAME))
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


def test_a_server_has_a_name_that_nobody_can_guess() -> None:
    assert re.fullmatch(r"talewright-[a-z2-7]{16}\.localhost", NAME)
    assert name_server(b"secret", 8734) == NAME
    others = {name_server(b"another", 8734), name_server(b"secret", 8735), name_server(b"", 8734)}
    assert len(others | {NAME}) == 4


def test_a_browser_is_led_to_the_name_and_gets_its_cookie_there() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        for browser in (CHROMIUM, FIREFOX):
            link = login.make_link(ORIGIN)
            answer = await client.get(link, headers=browser)
            assert answer.status_code == 303
            assert "set-cookie" not in answer.headers
            there = answer.headers["location"]
            assert there.startswith(f"{NAMED}/login?code=")
            assert there.partition("?")[2] != link.partition("?")[2]
            assert (await client.get(link, headers=browser)).status_code == 401
            entered = await client.get(there, headers=browser)
            assert (entered.status_code, entered.headers["location"]) == (303, "/")
            assert "domain" not in entered.headers["set-cookie"].lower()
            assert (await client.get(there, headers=browser)).status_code == 401
            assert "You are logged in" in (await client.get(f"{NAMED}/")).text
            # At the address that everyone knows, the browser has no cookie.
            plain = await client.get("/")
            assert plain.status_code == 401
            assert "localhost" in plain.text
            assert NAME not in plain.text

    visit(look, f"{NAME}:8734")


def test_the_name_is_told_to_nobody_without_a_code() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        used = login.make_code()
        await login.begin_session(used)
        foreign = BrowserLogin(b"another", 8734, lambda: 1_800_000_000.0).make_code()
        for code in ("", "x", used, foreign):
            for extra in ("", "&here=1", "&here="):
                for host in ("127.0.0.1:8734", "localhost:8734", "[::1]:8734"):
                    answer = await client.get(
                        f"/login?code={code}{extra}", headers={"Host": host, **CHROMIUM}
                    )
                    assert answer.status_code == 401
                    assert NAME not in f"{answer.text} {answer.headers}"

    visit(look, f"{NAME}:8734")


def test_a_browser_that_may_not_know_the_name_can_stay() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        for stays in (False, True):
            answer = await client.get(login.make_link(ORIGIN), headers=SAFARI)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
            assert answer.headers["referrer-policy"] == "no-referrer"
            there, here = (html.unescape(one) for one in re.findall('href="([^"]+)"', answer.text))
            assert there.startswith(f"{NAMED}/login?code=")
            assert here.startswith("/login?code=")
            entered = await client.get(here if stays else there, headers=SAFARI)
            assert entered.status_code == 303
            home = ORIGIN if stays else NAMED
            assert "You are logged in" in (await client.get(f"{home}/")).text
            assert (await client.get(here if stays else there, headers=SAFARI)).status_code == 401

    visit(look, f"{NAME}:8734")


def test_a_browser_that_comes_from_elsewhere_is_shown_a_page_first() -> None:
    """Its strict cookie would not be sent with a redirect."""

    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        for site in ("cross-site", "same-site"):
            link = f"{NAMED}/login?code={login.make_code()}"
            answer = await client.get(link, headers={**FIREFOX, "Sec-Fetch-Site": site})
            assert answer.status_code == 200
            assert answer.headers["set-cookie"].startswith(f"{login.cookie}=")
            assert '<meta http-equiv="refresh" content="0;url=/">' in answer.text
            assert re.findall('href="([^"]+)"', answer.text) == ["/"]
            assert answer.headers["cache-control"] == "no-store"
            assert not re.findall("<script|<img|<link|src=", answer.text)
            assert (await client.get(link)).status_code == 401

    visit(look, f"{NAME}:8734")


def test_exactly_this_name_is_answered() -> None:
    async def look(client: httpx.AsyncClient, login: BrowserLogin) -> None:
        for host in (f"{NAME}:8734", f"{NAME.upper()}:8734"):
            assert (await client.get("/", headers={"Host": host})).status_code == 401
        for host in (
            NAME,
            f"{NAME}:1",
            f"{NAME}.:8734",
            f"x.{NAME}:8734",
            f"x{NAME}:8734",
            f"{NAME[:-1]}:8734",
            f"{NAME}.evil.example:8734",
            f"{NAME.partition('.')[0]}:8734",
            "talewright.localhost:8734",
            f"{name_server(b'another', 8734)}:8734",
        ):
            assert (await client.get("/", headers={"Host": host})).status_code == 421, host
        own = {"Host": f"{NAME}:8734", "Cookie": "a=b"}
        for origin, status in (
            (NAMED, 303),
            (ORIGIN, 403),
            ("null", 403),
            (f"http://{NAME}:1", 403),
            (f"https://{NAME}:8734", 403),
            ("http://localhost:8734", 403),
        ):
            answer = await client.post("/logout", headers={**own, "Origin": origin})
            assert answer.status_code == status, origin
        assert (await client.post("/logout", headers=own)).status_code == 403

    visit(look, f"{NAME}:8734")
