"""Hostile pages and DNS rebinding, against a real server: zero changes and zero reads without the token."""

import hashlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bootstrap.serving.hostile_pages import Browser, Outcome, Site, list_pages
from tests.bootstrap.serving.processes import ServeCommand, begin_campaign, serve_command
from tests.bootstrap.serving.test_route_matrix import OPEN, ROWS

pytestmark = pytest.mark.process

OTHER_PORT = 8735
MANY_401 = "bad_tokens=none"
"""Here every route is asked without a token; how many an address may ask is tested elsewhere."""

DERIVED = frozenset({"index.bin", "campaign.json", "last"})
"""Files that the store makes of its records."""

THOROUGH = "another port"
"""The page that tries every route; the others try some, since the guards know no routes."""

EACH = 16
"""The others try one in so many routes."""


@dataclass
class Target:
    """A server whose owner is logged in, and has something to lose."""

    server: ServeCommand
    home: Path
    campaign: str
    head: str
    cookie: str

    def take_stock(self) -> dict[str, str]:
        """Every record and setting of the owner; caches may be filled by whoever reads."""
        return {
            str(path.relative_to(self.home)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.home.rglob("*")
            if path.is_file() and "cache" not in path.parts and path.name not in DERIVED
        }

    def requests(self) -> Iterator[tuple[str, str, object, bytes]]:
        """One of every route, filled in by somebody who knows everything but the token."""
        words = {"campaign": self.campaign, "game": "lantern_road", "operation_id": "x", "name": "mark"}
        words |= {"variable": "oil", "commit": self.head, "head": self.head, "turn": self.head, "trial": "x"}
        for row in ROWS:
            method, path = row.route.replace(":path", "").split()
            yield method, f"{path}?{row.query}".format(**words), row.json, row.body
        yield "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, b""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    home = tmp_path_factory.mktemp("home")
    with (
        serve_command(home, quotas=MANY_401) as server,
        server.client() as owner,
        server.browser() as browser,
    ):
        campaign = begin_campaign(owner)
        browser.get(server.link)
        ((name, value),) = browser.cookies.items()
        view = owner.get(f"/api/campaigns/{campaign}/view").json()
        yield Target(server, home, campaign, view["head"], f"{name}={value}")


def test_the_cookie_works_on_our_own_page(target: Target) -> None:
    """There is something to be won."""
    with target.server.client("", Cookie=target.cookie) as own:
        assert own.get(f"/api/campaigns/{target.campaign}/view").status_code == 200
        marked = own.put(f"/api/campaigns/{target.campaign}/marks/own", headers={"Origin": target.server.url})
        assert marked.status_code == 204


def test_no_page_changes_or_reads_anything(target: Target) -> None:
    before = target.take_stock()
    assert len(before) > 5
    outcomes: list[Outcome] = []
    with target.server.client("") as client:
        browser = Browser(client, target.cookie)
        for page in list_pages(target.server.port, OTHER_PORT):
            step = 1 if page.name == THOROUGH else EACH
            for asked in list(target.requests())[::step]:
                for outcome in browser.attack(page, *asked):
                    outcomes.append(outcome)
                    if page.old and page.site is Site.SAME_SITE and asked[0] == "GET":
                        # The answer is there, and the browser does not show it to the page.
                        assert not outcome.readable
                        continue
                    if outcome.status not in (401, 403, 421):
                        pytest.fail(f"{outcome.asked}: {outcome.status} {outcome.sent}")
        for route in sorted(OPEN):
            method, path = route.split()
            for page in list_pages(target.server.port, OTHER_PORT):
                outcomes += browser.attack(page, method, path, None, b"")
    assert target.take_stock() == before
    told = [
        one.asked for one in outcomes if one.readable and (target.campaign in one.text or one.status == 200)
    ]
    assert told == []
    assert len(outcomes) > 500


@pytest.mark.parametrize("path", ["/api/campaigns", "/", "/mcp"])
def test_odd_requests_are_not_served(path: str, target: Target) -> None:
    token = f"Authorization: Bearer {target.server.token}\r\n"
    own = f"127.0.0.1:{target.server.port}"
    for first, headers in (
        (f"GET {path} HTTP/1.0", token),
        (f"GET {path} HTTP/1.1", token),
        (f"GET {path} HTTP/1.1", f"Host: evil.example\r\nHost: {own}\r\n{token}"),
        (f"GET {path} HTTP/1.1", f"Host: {own}\r\nHost: evil.example\r\n{token}"),
        (f"GET http://evil.example{path} HTTP/1.1", f"Host: evil.example\r\n{token}"),
        (f"GET {path} HTTP/1.1", f"Host: {own}@evil.example\r\n{token}"),
        (f"GET {path} HTTP/1.1", f"Host: {own}\r\nOrigin: http://{own}\r\nOrigin: null\r\n{token}"),
        (f"GET {path} HTTP/1.1", f"X-Forwarded-Host: {own}\r\nHost: evil.example\r\n{token}"),
    ):
        with socket.create_connection(("127.0.0.1", target.server.port)) as wire:
            wire.sendall(f"{first}\r\n{headers}Connection: close\r\n\r\n".encode())
            wire.settimeout(30)
            answer = b"".join(iter(lambda: wire.recv(65536), b""))
        assert answer.split()[1] in (b"400", b"403", b"421"), (first, headers, answer)
        assert target.campaign.encode() not in answer
