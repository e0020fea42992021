"""Many tabs of one campaign in a real browser: one stream for all of them, which another tab takes over."""

from typing import Any

from tests.faces.web.chromium import needs_chromium
from tests.faces.web.everyone.counted_server import HOLD
from tests.faces.web.everyone.shared_browser import SharedBrowser, wait_for_turn, wait_until
from tests.faces.web.everyone.stream_counter import COUNTED

pytestmark = needs_chromium

TABS = 7
"""More than the six connections that a browser allows a server over HTTP/1.1."""


def open_tabs(shared: SharedBrowser, count: int) -> list[Any]:
    """Tabs of a new campaign, all of them live."""
    tabs = [shared.context().new_page()]
    shared.start(tabs[0], "solo")
    for _ in range(count - 1):
        tab = tabs[0].context.new_page()
        tab.goto(tabs[0].url, wait_until="commit")
        tabs.append(tab)
    for tab in tabs:
        tab.locator("html[data-live]").wait_for()
    return tabs


def say(tab: Any, text: str) -> None:
    tab.locator("#say").fill(text)
    tab.keyboard.press("Enter")


def test_seven_tabs_have_one_stream_and_survive_a_restart(held: SharedBrowser) -> None:
    tabs = open_tabs(held, TABS)
    wait_until(tabs[0], COUNTED, 1)
    tabs[-1].locator(".choices button").first.click()
    for tab in tabs:
        wait_for_turn(tab, 2)
    wait_until(tabs[1], COUNTED, 1)
    held.server.kill()
    for tab in tabs:
        tab.locator("#message", has_text="Connection lost").wait_for()
    held.server.start()
    for tab in tabs:
        tab.locator("#message").wait_for(state="hidden")
    wait_until(tabs[0], COUNTED, 1)
    say(tabs[0], "I wait.")
    for tab in tabs:
        wait_for_turn(tab, 3)
    tabs[0].context.close()


def test_another_tab_takes_over_in_the_midst_of_a_turn(held: SharedBrowser) -> None:
    tabs = open_tabs(held, 3)
    hold = held.server.saves / HOLD
    hold.touch()
    tabs[0].locator(".choices button").first.click()
    for tab in tabs:
        tab.locator("#live .narration p").first.wait_for()
    # The first has the stream.
    tabs.pop(0).close()
    hold.unlink()
    for tab in tabs:
        wait_for_turn(tab, 2)
        assert tab.locator("#turns .turn").last.locator(".narration p").count() == 4
        tab.locator("#announce", has_text="fourth wave").wait_for(state="attached")
    wait_until(tabs[0], COUNTED, 1)
    tabs[0].context.close()


def test_a_tab_that_comes_late_gets_the_text_so_far(held: SharedBrowser) -> None:
    first, second = open_tabs(held, 2)
    hold = held.server.saves / HOLD
    hold.touch()
    first.locator(".choices button").first.click()
    first.locator("#live .narration p", has_text="The second").wait_for()
    late = first.context.new_page()
    late.goto(first.url)
    late.locator("#live .narration p", has_text="The first wave").wait_for()
    hold.unlink()
    for tab in (first, second, late):
        wait_for_turn(tab, 2)
        assert tab.locator("#live .turn").count() == 0
    # Out of sight, a tab gives the stream back.
    for tab, hidden in ((first, True), (second, True), (first, False)):
        tab.evaluate(
            """(hidden) => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )
    wait_until(late, COUNTED, 1)
    say(late, "I look up.")
    for tab in (first, late):
        wait_for_turn(tab, 3)
    first.context.close()
