"""Forged forms: no form of the pages changes anything without the login and our own origin.

Every route that takes a form is tried, whatever it is: by raw requests, and by hostile pages in Chromium,
whose user is logged in.
"""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from talewright.bootstrap import new_id
from talewright.bootstrap.mcp_launcher import find_token
from talewright.bootstrap.serving import server_launcher
from talewright.faces.http.guards.browser_login import LOGOUT_PATH
from tests.bootstrap.serving.test_hostile_pages import DERIVED
from tests.bootstrap.serving.test_route_matrix import find_routes
from tests.bootstrap.serving.whole_server import WholeServer
from tests.faces.web.chromium import (
    CHROMIUM,
    DESK,
    TOKEN,
    ServedPages,
    close_nothing,
    make_told_lobby,
    needs_chromium,
)
from tests.faces.web.in_chromium.table_player import TablePlayer

REFUSED = {401, 403, 421}
KINDS = ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data")

REBINDING = (
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
    # Newer browsers keep public pages from this machine; older ones do not.
    "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
)

PAGE = """<!doctype html><meta charset=utf-8><body><iframe name=sink></iframe><script>
const [home, paths, fields, kinds] = GIVEN;
const loaded = () => new Promise((done) => { sink.addEventListener("load", done, { once: true }); });
const sink = document.querySelector("iframe");
(async () => {
  for (const path of paths) {
    for (const kind of kinds) {
      const form = Object.assign(document.createElement("form"),
        { method: "POST", enctype: kind, action: home + path, target: "sink" });
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
      }
      document.body.append(form);
      const ended = Promise.race([loaded(), new Promise((done) => setTimeout(done, 2000))]);
      form.submit();
      await ended;
      form.remove();
    }
    const body = new URLSearchParams(fields);
    const sent = { method: "POST", credentials: "include", mode: "no-cors", body };
    await fetch(home + path, sent).catch(() => null);
    navigator.sendBeacon(home + path, body);
  }
  document.body.className = "ended";
})();
</script>"""
"""A page that sends every form in every way that a page has."""


def list_form_routes(saves: Path) -> list[str]:
    """The paths of all routes that change something and are no part of the API or MCP."""
    token = find_token({"TALEWRIGHT_TOKEN": TOKEN})
    login = server_launcher._make_login(token, 1)
    lobby = make_told_lobby(str(saves))
    served = server_launcher.ServedLobby(lobby, new_id, None, None, lambda _: (), close_nothing)
    app, _ = server_launcher.make_server_app(served, token, 1, login)
    routes = find_routes(WholeServer(app, None, login))  # type: ignore[arg-type]
    paths = {path for method, path in map(str.split, routes) if method not in ("GET", "HEAD")}
    return sorted(path for path in paths if not path.startswith(("/api/", "/mcp")))


class ForgedForms:
    """The forms of a server, filled in by somebody who knows everything but the login."""

    def __init__(self, server: ServedPages, player: TablePlayer, routes: list[str]) -> None:
        page = player.page
        self.server = server
        self.context = page.context
        campaign = page.url.rpartition("/")[2].partition("#")[0]
        head = page.locator("#actions input[name=base]").first.get_attribute("value")
        choice = page.locator("button[name=choice]").first.get_attribute("value")
        known = {"campaign": campaign, "commit": head, "game": "lantern_road"}
        self.paths = [
            re.sub(r"\{(\w+)(:\w+)?\}", lambda found: known.get(found[1], "x"), route) for route in routes
        ]
        self.fields = {
            "kind": "choose",
            "choice": choice,
            "base": head,
            "operation_id": "forged",
            "turns": "1",
        }
        self.fields |= {
            "game": "lantern_road",
            "language": "en",
            "theme": "dark",
            "size": "large",
            "back": "/",
        }
        self.fields |= {"commit": head, "name": "forged", "branch": "main", "confirm": "yes"}
        (self.cookie,) = (
            f"{one['name']}={one['value']}" for one in self.context.cookies() if one["httpOnly"]
        )

    def take_stock(self) -> dict[str, str]:
        """Every record of the owner, and what the browser keeps."""
        kept = {f"cookie {one['name']}": one["value"] for one in self.context.cookies()}
        return kept | {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.server.saves.rglob("*")
            if path.is_file() and "cache" not in path.parts and path.name not in DERIVED
        }

    def page(self) -> str:
        """The attacking page."""
        given = [self.server.home.rstrip("/"), self.paths, self.fields, KINDS]
        return PAGE.replace("GIVEN", json.dumps(given))


@pytest.fixture(scope="module")
def forged(
    browser: Any, scenes: ServedPages, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ForgedForms]:
    player = TablePlayer.sit_down(browser, scenes, DESK)
    player.begin("lantern_road")
    # The stream would go on, and the pool write when the campaign rests.
    routes = list_form_routes(tmp_path_factory.mktemp("routes"))
    made = ForgedForms(scenes, player, routes)
    player.page.goto("about:blank")
    yield made
    player.page.context.close()


@contextmanager
def serve_attack(page: str) -> Iterator[int]:
    """The port of a server with the attacking page, also in a frame without an origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            if self.path == "/sandboxed":
                self.send_header("Content-Security-Policy", "sandbox allow-scripts allow-forms")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@needs_chromium
def test_raw_requests_change_nothing_without_login_and_origin(forged: ForgedForms) -> None:
    before = forged.take_stock()
    assert {"/start", "/display"} < set(forged.paths)
    port = forged.server.port
    own = f"http://127.0.0.1:{port}"
    rebound = {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"}
    with httpx.Client(base_url=own, timeout=60) as client:
        for path in forged.paths:
            for headers in (
                {"Origin": own},
                {"Origin": own, "Cookie": forged.cookie[:-4]},
                *(
                    {"Cookie": forged.cookie, "Origin": f"http://{name}"}
                    for name in (f"127.0.0.1:{port + 1}", "x")
                ),
                *(
                    {"Cookie": forged.cookie, "Origin": name}
                    for name in ("null", "", f"https://127.0.0.1:{port}")
                ),
                {"Cookie": forged.cookie, "Origin": f"http://localhost:{port}"},
                {"Cookie": forged.cookie},
                {"Cookie": forged.cookie, "Referer": own},
                {"Cookie": forged.cookie, **rebound},
            ):
                if path == LOGOUT_PATH and headers.get("Cookie") != forged.cookie:
                    # Whoever is not logged in may log out.
                    continue
                for kind in KINDS:
                    answer = client.post(path, data=forged.fields, headers={**headers, "Content-Type": kind})
                    assert answer.status_code in REFUSED, (path, headers, answer.status_code)
                    assert "set-cookie" not in answer.headers
    assert forged.take_stock() == before


@needs_chromium
@pytest.mark.timeout(400)
def test_no_page_in_chromium_sends_a_form_that_counts(browser: Any, forged: ForgedForms) -> None:
    before = forged.take_stock()
    port = forged.server.port
    rebinding = browser.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", *REBINDING])
    rebound = rebinding.new_context()
    rebound.add_cookies(forged.context.cookies())
    own_page = forged.page()
    # What a rebound name shows first is the attacker's; then it is ours.
    address = f"http://evil.example:{port}"
    rebound_page = own_page.replace(json.dumps(forged.server.home.rstrip("/")), json.dumps(address))
    rebound.route(
        f"{address}/attack", lambda route: route.fulfill(body=rebound_page, content_type="text/html")
    )
    with serve_attack(own_page) as other:
        for context, start in (
            (forged.context, f"http://127.0.0.1:{other}/"),
            (forged.context, f"http://127.0.0.1:{other}/sandboxed"),
            (forged.context, f"http://localhost:{other}/"),
            # Somebody has found out the name under which the browser is logged in.
            (forged.context, f"{forged.server.home.rpartition(':')[0]}:{other}/"),
            (rebound, f"{address}/attack"),
        ):
            page = context.new_page()
            statuses: list[int] = []
            page.on(
                "response",
                lambda one, found=statuses: (
                    found.append(one.status) if one.request.method == "POST" else None
                ),
            )
            page.goto(start)
            page.locator("body.ended").wait_for(timeout=60_000)
            page.close()
            assert len(statuses) >= len(forged.paths), start
            assert set(statuses) <= REFUSED, start
    rebinding.close()
    assert forged.take_stock() == before


@needs_chromium
def test_the_same_form_counts_on_our_own_page(forged: ForgedForms) -> None:
    """There is something to be won."""
    before = forged.take_stock()
    page = forged.context.new_page()
    page.goto(forged.server.home)
    page.locator("li.game:has(input[value=lantern_road]) button").click()
    page.locator("html[data-live] #turns .turn").first.wait_for()
    page.close()
    assert forged.take_stock() != before
