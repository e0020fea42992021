"""Hostile text in Chromium: nothing runs, nothing is fetched, nothing is refused, and all of it can be read.

`make sweep PART=web_text` does the same with thousands of texts.
"""

from pathlib import Path
from typing import Any

from talewright.turn.inputs.player_inputs import Choose, Say
from tests.faces.web.chromium import DESK, ServedPages, needs_chromium
from tests.faces.web.in_chromium.hostile_games import make_writable
from tests.faces.web.in_chromium.hostile_texts import make_hostile_texts, strip_invisible
from tests.faces.web.in_chromium.hostile_visit import (
    COUNT_HITS,
    HostileVisit,
    listen_for_anything,
    visit_hostile_pages,
)
from tests.faces.web.in_chromium.scripted_storyteller import WAIT
from tests.faces.web.in_chromium.table_player import TablePlayer

COUNT = 50
SEED = 21
SAID = 4
"""Texts that a player types."""


@needs_chromium
def test_hostile_text_runs_nothing_and_fetches_nothing(browser: Any, tmp_path: Path) -> None:
    assert visit_hostile_pages(COUNT, SEED, tmp_path, browser) == COUNT


@needs_chromium
def test_hostile_words_of_a_player_run_nothing_and_fetch_nothing(browser: Any, told: ServedPages) -> None:
    player = TablePlayer.sit_down(browser, told, DESK)
    player.page.context.add_init_script(COUNT_HITS)
    visit = HostileVisit(player, f"seed {SEED}, a player")
    player.begin("solo")
    player.take(Choose("frontier"))
    with listen_for_anything() as (evil, asked):
        texts = [make_writable(text) for text in make_hostile_texts(SAID, SEED, evil)]
        for text in texts:
            player.take(Say(f"{WAIT}{text}"))
            visit.look("said", text)
        player.page.reload()
        visit.look("loaded again", *texts)
        table = player.page.url.partition("#")[0]
        player.page.goto(f"{table}/book")
        visit.look("book", *texts)
        player.page.goto(f"{table}/history?turn={SAID}")
        visit.look("history")
        assert asked == []
    player.leave()


def test_texts_are_hostile_and_always_the_same() -> None:
    texts = make_hostile_texts(2_000, SEED, "http://evil.example/")
    assert texts == make_hostile_texts(2_000, SEED, "http://evil.example/")
    assert len({strip_invisible(text) for text in texts}) == 2_000
    for piece in (
        "<script>",
        "onerror=",
        "<svg",
        "javascript:",
        "data:",
        "<style>",
        "<!--",
        "&lt;",
        "&#",
        "{{",
        "](",
    ):
        assert sum(piece in text for text in texts) > 20, piece
