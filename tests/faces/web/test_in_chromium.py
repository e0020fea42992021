"""The pages in a real browser: played to an end, streamed, in two tabs, over a restart, and under attack."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.faces.web.chromium import CHROMIUM, DESK, PHONE, TABLET, WATCH, ServedPages, browse

pytestmark = pytest.mark.skipif(
    not CHROMIUM or find_spec("playwright") is None, reason="Chromium or Playwright is not installed"
)

HOSTILE = (
    "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>\n\n"
    "<svg onload='window.hit = 3'><a href='javascript:window.hit = 4'>come</a>\n\n"
    "<iframe srcdoc='<script>parent.hit = 5</script>'></iframe><style>main{display:none}</style>"
    "<link rel=stylesheet href=http://evil.example/x.css><img src=http://evil.example/x.png>"
)
STORY = "\n\n".join(
    f"The {count} wave comes in over the stones, *slowly*, and takes back what it had brought."
    for count in ("first", "second", "third", "fourth")
)


def open_page(browser: Any, size: dict[str, int], **options: Any) -> Any:
    context = browser.new_context(viewport=size, locale="en-US", **options)
    context.add_init_script(WATCH)
    return context.new_page()


def log_in(page: Any, server: ServedPages) -> None:
    page.goto(server.link)
    page.locator(".games").wait_for()


def begin(page: Any, game: str) -> None:
    page.locator(f"li.game:has(input[value={game}]) button").click()
    page.locator("html[data-live] #turns .turn").first.wait_for()


def count_turns(page: Any) -> int:
    return int(page.locator("#turns .turn").last.get_attribute("data-version"))


def wait_for_turn(page: Any, version: int) -> None:
    page.locator(f"#turns .turn[data-version='{version}']").wait_for()
    page.locator("#actions").wait_for()


def check_quiet(page: Any) -> None:
    """Nothing was refused by the policy."""
    assert page.evaluate("() => violations") == []


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def test_a_game_is_played_to_its_end(tmp_path: Path, size: dict[str, int]) -> None:
    with browse(tmp_path) as (server, browser):
        page = open_page(browser, size)
        log_in(page, server)
        begin(page, "chapel_watch")
        while page.locator(".choices button").count():
            before = count_turns(page)
            page.locator(".choices button").last.click()
            wait_for_turn(page, before + 1)
        assert page.locator(".ending h2").inner_text() == "The end"
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "nothing sticks out sideways"
        check_quiet(page)


def test_forms_play_without_scripts(tmp_path: Path) -> None:
    with browse(tmp_path) as (server, browser):
        page = open_page(browser, PHONE, java_script_enabled=False)
        log_in(page, server)
        page.locator("li.game:has(input[value=lantern_road]) button").click()
        while not page.locator("#turns .turn").count():
            page.reload()
        page.locator(".choices button").first.click()
        page.locator("#turns .turn[data-version='2']").wait_for()


def test_ten_turns_are_streamed(tmp_path: Path) -> None:
    with browse(tmp_path, reply=STORY, pause_seconds=0.004) as (server, browser):
        page = open_page(browser, DESK)
        log_in(page, server)
        begin(page, "solo")
        page.locator(".choices button").first.click()
        wait_for_turn(page, 2)
        for version in range(3, 13):
            page.locator("#say").fill(f"I wait, {version}.")
            page.keyboard.press("Enter")
            page.locator("#live .narration p").first.wait_for()
            wait_for_turn(page, version)
            assert page.locator("#live .turn").count() == 0
            told = page.locator("#turns .turn").last
            assert told.locator(".narration p").count() == 4
            assert told.locator("em").first.inner_text() == "slowly"
            assert "fourth wave" in page.locator("#announce").inner_text()
        check_quiet(page)


def test_two_tabs_show_one_story(tmp_path: Path) -> None:
    with browse(tmp_path, reply=STORY, pause_seconds=0.002) as (server, browser):
        one = open_page(browser, DESK)
        log_in(one, server)
        begin(one, "solo")
        two = one.context.new_page()
        two.goto(one.url)
        two.locator("html[data-live]").wait_for()
        one.locator(".choices button").first.click()
        wait_for_turn(one, 2)
        wait_for_turn(two, 2)
        two.locator("#say").fill("I look up.")
        two.keyboard.press("Enter")
        wait_for_turn(one, 3)
        assert one.locator("#turns .said").last.inner_text().endswith("I look up.")


def test_a_killed_server_is_waited_for(tmp_path: Path) -> None:
    with browse(tmp_path, reply=STORY, pause_seconds=0.03) as (server, browser):
        page = open_page(browser, PHONE)
        log_in(page, server)
        begin(page, "solo")
        page.locator(".choices button").first.click()
        page.locator("#live .narration p").first.wait_for()
        server.kill()
        page.locator("#message", has_text="The connection is lost").wait_for()
        server.start()
        page.locator(".decision", has_text="was not finished").wait_for()
        page.locator(".decision button").click()
        wait_for_turn(page, 2)
        assert "fourth wave" in page.locator("#turns .turn").last.inner_text()


def test_hostile_text_runs_nothing_and_fetches_nothing(tmp_path: Path) -> None:
    with browse(tmp_path, reply=HOSTILE) as (server, browser):
        page = open_page(browser, DESK)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        log_in(page, server)
        begin(page, "solo")
        page.locator(".choices button").first.click()
        wait_for_turn(page, 2)
        page.locator("#say").fill(HOSTILE)
        page.keyboard.press("Enter")
        wait_for_turn(page, 3)
        page.reload()
        wait_for_turn(page, 3)
        assert "<script>window.hit = 1</script>" in page.locator("#turns .turn").last.inner_text()
        assert page.evaluate("() => window.hit") is None
        assert page.locator("#turns script, #turns img, #turns iframe, #turns style, #turns a").count() == 0
        assert [url for url in asked if not url.startswith(server.home)] == []
        check_quiet(page)
