"""A hostile page in a real browser, on another port of the same host, whose user is logged in.

It is skipped where Chromium is not installed; `test_hostile_pages.py` sends such requests without a browser.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest

from tests.bootstrap.serving.test_hostile_pages import Target, target
from tests.faces.web.chromium import launch_browser, needs_chromium

pytestmark = pytest.mark.process

__all__ = ["target"]

SECONDS_MAX = 60

PAGE = """<!doctype html><meta charset=utf-8><script>
const [base, attacks] = ATTACKS;
const later = (ms) => new Promise((done) => setTimeout(() => done(null), ms));
const make = (tag, set) => new Promise((done) => {
  const one = Object.assign(document.createElement(tag), set);
  one.onload = () => {
    try { done(one.contentDocument ? one.contentDocument.body.innerText : null); } catch { done(null); }
  };
  one.onerror = () => done(null);
  document.body.append(one);
});
const text = (answer) => answer.type === "opaque" ? null : answer.text();
const ways = {
  cors: (a) => fetch(base + a.target, {method: a.method, credentials: "include", body: a.body,
    headers: a.body === undefined ? {} : {"content-type": "application/json"}}).then(text),
  simple: (a) => fetch(base + a.target, {method: a.method, credentials: "include", mode: "no-cors",
    body: a.body}).then(text),
  script: (a) => make("script", {src: base + a.target}),
  image: (a) => make("img", {src: base + a.target}),
  frame: (a) => make("iframe", {src: base + a.target}),
  stream: (a) => new Promise((done) => {
    const source = new EventSource(base + a.target, {withCredentials: true});
    source.onopen = () => done("open"); source.onmessage = (e) => done(e.data);
    source.onerror = () => { source.close(); done(null); };
  }),
  socket: (a) => new Promise((done) => {
    const socket = new WebSocket(base.replace("http", "ws") + a.target);
    socket.onopen = () => done("open"); socket.onmessage = (e) => done(e.data);
    socket.onerror = () => done(null);
  }),
  beacon: async (a) => { navigator.sendBeacon(base + a.target, a.body || ""); return null; },
  form: (a) => {
    const form = Object.assign(document.createElement("form"),
      {method: "POST", enctype: "text/plain", action: base + a.target, target: "sink"});
    document.body.append(form); form.submit(); return later(20);
  },
};
onload = async () => {
  document.body.append(Object.assign(document.createElement("iframe"), {name: "sink"}));
  const told = [];
  for (const a of attacks) {
    const read = await Promise.race([ways[a.way](a).catch(() => null), later(2000)]);
    told.push({...a, read});
  }
  await fetch("/report", {method: "POST", body: JSON.stringify(told)});
};
</script><body>"""


@contextmanager
def serve_page(page: str) -> Iterator[tuple[str, "Queue[Any]"]]:
    """A page on a free port; what it reports comes by the queue."""
    reports: Queue[Any] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()
            reports.put(json.loads(body))

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", reports
        finally:
            server.shutdown()
            thread.join()


def list_attacks(target: Target) -> Iterator[dict[str, Any]]:
    """Each route by some way, and each way with some route."""
    reading, writing = (
        ("cors", "script", "frame", "stream", "socket", "simple", "image"),
        ("simple", "form", "beacon"),
    )
    for number, (method, path, body, content) in enumerate(target.requests()):
        sent = {"method": method, "target": path}
        if method == "GET":
            yield {**sent, "way": reading[number % len(reading)]}
            continue
        data = content.decode() if body is None else json.dumps(body)
        yield {**sent, "way": "cors", "body": data}
        if method == "POST":
            yield {**sent, "way": writing[number % len(writing)], "body": data}
    for way in reading:
        yield {"method": "GET", "target": f"/api/campaigns/{target.campaign}/view", "way": way}


@needs_chromium
@pytest.mark.browser
def test_a_page_on_another_port_changes_and_reads_nothing(target: Target) -> None:
    attacks = list(list_attacks(target))
    words = json.dumps([target.server.origin, attacks])
    with serve_page(PAGE.replace("ATTACKS", words)) as (address, reports), launch_browser() as browser:
        page = browser.new_page()
        for own in (target.server.make_link(), target.server.origin):
            page.goto(own)
            page.get_by_role("heading", name="Start a story").wait_for()
        before = target.take_stock()
        # Somebody has found out the name under which the browser is logged in, so it sends the cookie.
        page.goto(address.replace("127.0.0.1", target.server.name), wait_until="commit")
        told = reports.get(timeout=SECONDS_MAX)
    assert len(told) == len(attacks) > 60
    assert [one for one in told if one["read"]] == []
    assert target.take_stock() == before
