"""Hostile pages: the requests that a web page can make a browser send to another server.

It follows the Fetch standard as far as it matters here: which cookies go along, what `Origin` and
`Sec-Fetch-Site` say, what needs a preflight, and which answers a page may read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import httpx

SIMPLE_TYPES = (
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
)
"""Types of bodies that any page may send anywhere."""

HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


class Site(StrEnum):
    """How a page is related to the server, in the words of Sec-Fetch-Site."""

    CROSS = "cross-site"
    SAME_SITE = "same-site"
    """Another port of the same host: the browser sends cookies along."""

    SAME_ORIGIN = "same-origin"
    """What the browser believes after DNS rebinding."""


@dataclass(frozen=True)
class Page:
    """A page in a browser whose user is logged in."""

    name: str
    origin: str
    site: Site
    host: str = ""
    """The name under which the page reaches the server; empty for its own."""

    old: bool = False
    """A browser that sends neither Sec-Fetch-Site nor, with forms, Origin."""

    referrer: bool = True
    """Without one, forms say `Origin: null`."""


@dataclass
class Outcome:
    """What became of one request."""

    asked: str
    status: int
    readable: bool
    """Whether the page sees the answer."""

    text: str = ""
    sent: dict[str, str] = field(default_factory=dict)


def list_pages(port: int, other: int) -> list[Page]:
    """Pages from everywhere."""
    same_host = f"http://127.0.0.1:{other}"
    return [
        Page("elsewhere", "http://evil.example", Site.CROSS),
        Page("sandboxed", "null", Site.CROSS),
        Page("a file", "null", Site.CROSS, referrer=False),
        Page("localhost", f"http://localhost:{other}", Site.CROSS),
        Page("encrypted", f"https://127.0.0.1:{port}", Site.CROSS),
        Page("another port", same_host, Site.SAME_SITE),
        Page("another port, no referrer", same_host, Site.SAME_SITE, referrer=False),
        Page("another port, an old browser", same_host, Site.SAME_SITE, old=True),
        Page("rebound", f"http://evil.example:{port}", Site.SAME_ORIGIN, f"evil.example:{port}"),
        Page("rebound, port 80", "http://evil.example", Site.SAME_ORIGIN, "evil.example"),
        Page(
            "rebound subdomain",
            f"http://127.0.0.1.evil.example:{port}",
            Site.SAME_ORIGIN,
            f"127.0.0.1.evil.example:{port}",
        ),
        Page(
            "rebound, an old browser",
            f"http://evil.example:{port}",
            Site.SAME_ORIGIN,
            f"evil.example:{port}",
            old=True,
        ),
    ]


class Browser:
    """Sends what a page asks it to."""

    def __init__(self, client: httpx.Client, cookie: str) -> None:
        self._client = client
        self._cookie = cookie

    def attack(self, page: Page, method: str, target: str, body: Any, content: bytes) -> Iterator[Outcome]:
        """Every way in which a page can try one request."""
        if method == "GET":
            for mode, dest in (
                ("no-cors", "script"),
                ("no-cors", "image"),
                ("navigate", "iframe"),
                ("navigate", "document"),
                ("cors", "empty"),
            ):
                yield self._send(
                    page,
                    "GET",
                    target,
                    {"Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest},
                    with_origin=mode == "cors",
                )
            yield self._send(page, "GET", target, HANDSHAKE, with_origin=True)
            accept = {"Accept": "text/event-stream", "Last-Event-ID": "0"}
            yield self._send(page, "GET", target, accept, with_origin=True)
            return
        data = httpx.Request("POST", "http://x", json=body).content if body is not None else content
        if method == "POST":
            for kind in SIMPLE_TYPES:
                # By fetch with no-cors, or a beacon; then by a form.
                yield self._send(page, "POST", target, {"Content-Type": kind}, data, with_origin=True)
                yield self._send(
                    page,
                    "POST",
                    target,
                    {"Content-Type": kind, "Sec-Fetch-Mode": "navigate"},
                    data,
                    with_origin=not page.old,
                    form=True,
                )
        if self._may_send(page, method, target):
            yield self._send(
                page, method, target, {"Content-Type": "application/json"}, data, with_origin=True
            )

    def _may_send(self, page: Page, method: str, target: str) -> bool:
        """Ask first, as browsers do before a request that is not simple; a rebound page need not ask."""
        if page.site is Site.SAME_ORIGIN:
            return True
        asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "content-type"}
        answer = self._client.request("OPTIONS", target, headers={"Origin": page.origin, **asked})
        allowed = answer.headers.get("access-control-allow-origin", "")
        return answer.is_success and allowed in ("*", page.origin)

    def _send(
        self,
        page: Page,
        method: str,
        target: str,
        headers: dict[str, str],
        data: bytes = b"",
        *,
        with_origin: bool,
        form: bool = False,
    ) -> Outcome:
        sent = {
            name: value for name, value in headers.items() if not (page.old and name.startswith("Sec-Fetch"))
        }
        if not page.old:
            sent["Sec-Fetch-Site"] = page.site.value
        if with_origin:
            sent["Origin"] = page.origin if page.referrer or not form else "null"
        if page.host:
            sent["Host"] = page.host
        if page.site is Site.SAME_SITE:
            sent["Cookie"] = self._cookie
        with self._client.stream(method, target, headers=sent, content=data) as answer:
            allowed = answer.headers.get("access-control-allow-origin", "")
            readable = page.site is Site.SAME_ORIGIN or allowed in ("*", page.origin)
            # A stream that was opened is not waited for.
            is_stream = answer.headers.get("content-type", "").startswith("text/event-stream")
            text = "" if is_stream and answer.is_success else answer.read().decode("utf-8", "replace")
        return Outcome(f"{page.name}: {method} {target}", answer.status_code, readable, text, sent)
