"""A visit to hostile pages in Chromium: nothing may run, be fetched or be refused by the policy.

The texts come by the author's files and by the model. They are looked at while they are streamed, when they
are finished, and on the pages of the lobby and of cards.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.faces.web.chromium import DESK, WATCH, launch_browser, open_games, serve
from tests.faces.web.in_chromium.hostile_games import CHOICES, TOLD_CHOICES, write_hostile_game
from tests.faces.web.in_chromium.hostile_texts import make_hostile_texts, strip_invisible
from tests.faces.web.in_chromium.table_player import TablePlayer

MODELS = "tests.faces.web.in_chromium.hostile_games:make_models"
BATCH = 50
"""Texts on one page."""

CARD_PAGES = 2
"""Card pages that are opened for a batch."""

COUNT_HITS = "window.hits = []; window.hit = (number) => hits.push(number);"

LOOK = """() => {
  const own = new Set(`html head meta title link script body a header p h1 h2 h3 h4 div details summary
    form input label select option button section ul ol li span main article em textarea aside svg rect circle
    path line g text polyline dl dt dd table thead tbody tr th td time nav noscript footer strong kbd code
    defs linearGradient clipPath b stop pre mark
    `.split(/\\s+/));
  const odd = [];
  for (const one of document.querySelectorAll("*")) {
    if (!own.has(one.localName)) odd.push(one.outerHTML.slice(0, 200));
    if (one.localName === "script" && !one.src.startsWith(location.origin + "/")) odd.push(one.outerHTML);
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on") || name === "srcdoc") odd.push(name);
      if (name === "style" && one.id !== "story" && one !== document.documentElement) odd.push(name);
      const leads = ["href", "src", "action"].includes(name);
      if (leads && !/^[/#](?!\\/)/.test(value)) odd.push(`${name}=${value}`);
    }
  }
  return { odd, hits, violations, text: document.documentElement.textContent,
    values: [...document.querySelectorAll("input, button, textarea")].map((one) => one.value).join(" ") };
}"""

DRAW_BYTES = """async (texts) => {
  const files = document.querySelector("script[src$='table.js']").src.replace("table.js", "live.js");
  const { LiveTurn } = await import(files);
  const told = [];
  for (const text of texts) {
    const turn = new LiveTurn("bytes", text, { language: "en", head: text }, 1);
    document.getElementById("live").append(turn.element);
    turn.roll({ text, faces: [1], outcome: text, chances: { text } });
    turn.line("events", text);
    for (let at = 0; at < text.length; at += 1) {
      turn.add(text[at]);
      turn.draw();
    }
    told.push(turn.told.textContent);
  }
  return told;
}"""
"""Each text through a live turn of its own, drawn after every UTF-16 unit."""


@contextmanager
def listen_for_anything() -> Iterator[tuple[str, list[str]]]:
    """A server that must never be asked: its address, and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def __getattr__(self, name: str) -> Any:
            if name.startswith("do_"):
                return self.do_GET
            raise AttributeError(name)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked
        finally:
            server.shutdown()
            thread.join()


@dataclass
class HostileVisit:
    """A player at tables where every word is hostile."""

    player: TablePlayer
    where: str
    looked: int = field(default=0)

    def look(self, place: str, *texts: str, times: int = 1) -> None:
        """Check the page, and that these texts can be read on it, so many times at least."""
        page = self.player.page
        found = page.evaluate(LOOK)
        where = f"{self.where}, {place}"
        for kind in ("odd", "hits", "violations"):
            assert found[kind] == [], f"{where}: {kind} {found[kind]}"
        shown = strip_invisible(found["text"])
        for text in texts:
            assert shown.count(strip_invisible(text)) >= times, f"{where}: {text!r} is not there"
        self.looked += 1

    def play(self, game: str, texts: Sequence[str], order: str) -> None:
        """Begin a game made of texts, let its model tell them too, and look at all pages."""
        player = self.player
        page = player.page
        page.goto(f"{player.server.home}games")
        self.look("lobby", *texts)
        player.begin(game)
        self.look("cards", *texts, times=3)
        self.draw_bytes(texts)
        for first in range(0, len(texts), CHOICES):
            # Told, label and hint of a choice; label, value and description of a card.
            self.look(f"scene {first}", *texts[first : first + CHOICES], times=6)
            if first + CHOICES < len(texts):
                before = player.version
                page.locator(".choices button").last.click()
                player.wait_for_turn(before + 1)
        before = player.version
        page.locator("#say").fill(order)
        page.keyboard.press("Enter")
        # It may be finished before it was seen.
        newest = f"#turns .turn[data-version='{before + 1}']"
        page.locator(f"#live .narration p, {newest}").first.wait_for()
        self.look("streamed")
        player.wait_for_turn(before + 1)
        # Told; a card with its old and its new value; the change.
        self.look("finished", *texts, times=6)
        assert player.newest.locator(".narration p").count() == len(texts)
        page.reload()
        player.wait_for_turn(before + 1)
        self.look("loaded again", *texts, times=6)
        table = page.url
        for number in range(CARD_PAGES):
            page.goto(f"{table.partition('#')[0]}/cards/v{number}")
            self.look("card", texts[number], texts[-1 - number])
        # The prompt of the first turn of the model holds lore, names and descriptions of people.
        page.goto(f"{table.partition('#')[0]}/author")
        self.look("author's table", *texts, times=6)
        page.locator(".author-bar a[href*='/inspect/']").click()
        page.locator("main.inspected").wait_for()
        self.look("inspector", *texts[:TOLD_CHOICES], times=4)

    def draw_bytes(self, texts: Sequence[str]) -> None:
        """Each text through the live page, byte by byte."""
        told = self.player.page.evaluate(DRAW_BYTES, list(texts))
        for text, shown in zip(texts, told, strict=True):
            assert strip_invisible(shown) == strip_invisible(text), f"{self.where}, by bytes: {text!r}"
        self.look("by bytes", *texts, times=6)
        self.player.page.reload()
        self.player.wait_for_turn(1)


def visit_hostile_pages(count: int, seed: int, folder: Path, running: Any = None) -> int:
    """So many texts in Chromium, a running one or one of its own; returns how many were looked at."""
    games = folder / "games"
    games.mkdir()
    batches = [min(BATCH, count - first) for first in range(0, count, BATCH)]
    with listen_for_anything() as (evil, evil_asked):
        made = [make_hostile_texts(size, seed * 1000 + at, evil) for at, size in enumerate(batches)]
        for at, texts in enumerate(made):
            write_hostile_game(games, f"evil{at}", texts)
        # Read now, so that the first page does not wait for it.
        assert len(open_games(str(games)).games()) > len(made)
        with (
            serve(folder / "saves", model=MODELS, games=str(games), author_games=str(games)) as server,
            launch_browser() if running is None else nullcontext(running) as browser,
        ):
            player = TablePlayer.sit_down(browser, server, DESK)
            player.page.context.add_init_script(COUNT_HITS)
            player.page.context.add_init_script(WATCH)
            for at, texts in enumerate(made):
                visit = HostileVisit(player, f"seed {seed}, batch {at}")
                order = f"tell {len(texts)} of {seed * 1000 + at} with {evil}"
                visit.play(f"evil{at}", texts, order)
            assert [url for url in player.asked if not url.startswith(server.home)] == []
            player.page.context.close()
        assert evil_asked == []
    return count
