"""Live reload in a real browser: a file is saved, and the table that is played shows what became of it."""

from pathlib import Path
from typing import Any

from tests.faces.web.author.desks import make_game
from tests.faces.web.chromium import DESK, needs_chromium, serve
from tests.faces.web.in_chromium.table_player import TablePlayer

pytestmark = needs_chromium


def test_a_saved_file_shows_at_the_table_while_one_plays(browser: Any, tmp_path: Path) -> None:
    game = make_game(tmp_path)
    with serve(tmp_path / "saves", author_games=str(game.folder.parent)) as server:
        player = TablePlayer.sit_down(browser, server, DESK)
        page = player.page
        page.locator(".menu > summary").click()
        page.locator("a[href='/author']").click()
        page.locator(".worked .begin button").click()
        page.locator("html[data-live] #turns .turn").first.wait_for()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        bar = page.locator(".author-bar")
        assert bar.locator(".count").inner_text() == "no faults"
        page.locator("#say").fill("half a sentence")
        game.write("scenes/start.yaml", "It is good tea, very strong", "It is bad tea, very weak")
        game.write("game.yaml", "meter, label: Steam", "meter, label: Warmth")
        game.break_it()
        bar.locator(".fault.error").wait_for()
        assert "game.yaml:44:1" in bar.inner_text()
        assert bar.locator(".excerpt mark").inner_text() == "e"
        assert "Delete it" in bar.locator(".suggestion").inner_text()
        # The words of the player and the story stay where they are.
        assert page.locator("#say").input_value() == "half a sentence"
        assert page.locator("#status .label").first.inner_text() == "Steam"
        game.mend_it()
        bar.locator(".count.good").wait_for()
        assert page.locator("#status .label").first.inner_text() == "Warmth"
        assert page.locator("#say").evaluate("(line) => document.activeElement === line")
        page.locator(".choices button").first.click()
        player.wait_for_turn(2)
        assert "It is bad tea, very weak" in page.locator("#turns .turn").last.text_content()
        bar.get_by_role("link", name="Inspect turn 2").click()
        page.locator("#rulings .granted").first.wait_for()
        assert {"/author/state"} <= {f"/{url.split('/', 3)[3]}" for url in asked}
        player.leave()
