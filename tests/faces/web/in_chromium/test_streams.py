"""Streams in Chromium: ten turns without a jump, two tabs, a killed server, and a table without scripts."""

from typing import Any

import pytest

from talewright.turn.inputs.player_inputs import Choose, Say
from tests.faces.web.chromium import DESK, PHONE, TABLET, ServedPages, needs_chromium
from tests.faces.web.in_chromium.scripted_storyteller import SLOWLY, WAIT
from tests.faces.web.in_chromium.table_player import SIZES, TablePlayer

pytestmark = needs_chromium

SHIFT_MAX = 0.005
"""Layout shift of a whole turn: what is counted as good for a whole page is 0.1."""

WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map((source) => source.node?.className || source.node?.nodeName);
      shifts.push([entry.value, ...moved]);
    }
  }).observe({ type: "layout-shift" });
}"""

WATCH_LIVE = """() => {
  window.streamed = false;
  const look = () => { window.streamed ||= document.querySelector("#live .narration p") !== null; };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""Notes whether narration is shown while it is told, however short the moment."""


def begin_waiting(browser: Any, told: ServedPages, size: dict[str, int]) -> TablePlayer:
    """A player at a table where the story may go on by free text."""
    player = TablePlayer.sit_down(browser, told, size)
    player.begin("solo")
    player.take(Choose("frontier"))
    return player


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_ten_turns_are_streamed_without_a_jump(browser: Any, told: ServedPages, size: dict[str, int]) -> None:
    player = begin_waiting(browser, told, size)
    page = player.page
    # A tap opens the sheet of a phone, and what that moves is no jump.
    page.locator("#say").click()
    page.evaluate(WATCH_SHIFTS)
    page.evaluate(WATCH_LIVE)
    for version in range(player.version + 1, player.version + 11):
        page.evaluate("() => { window.streamed = false; }")
        player.send(Say(f"{WAIT}{version}."))
        player.wait_for_turn(version)
        assert page.evaluate("() => window.streamed")
        assert page.locator("#live .turn").count() == 0
        assert player.newest.locator(".narration p").count() == 4
        assert player.newest.locator("em").first.text_content() == "slowly"
        page.locator("#announce", has_text="fourth wave").wait_for(state="attached")
    shifts = page.evaluate("() => shifts")
    assert sum(value for value, *_ in shifts) <= 10 * SHIFT_MAX, shifts
    player.leave()


def test_two_tabs_show_one_story(browser: Any, told: ServedPages) -> None:
    one = begin_waiting(browser, told, TABLET)
    other = TablePlayer(one.page.context.new_page(), told, [], [])
    other.page.goto(one.page.url)
    other.page.locator("html[data-live]").wait_for()
    assert other.version == one.version == 2
    one.send(Say(f"{SLOWLY}in the first tab."))
    other.page.locator("#live .narration p").first.wait_for()
    assert not other.page.locator("#actions").is_visible()
    one.wait_for_turn(3)
    other.wait_for_turn(3)
    other.take(Say(f"{WAIT}in the second tab."))
    one.wait_for_turn(4)
    # Not the inner text, which a browser does not know of what is out of sight.
    assert one.newest.locator(".said").text_content().endswith("in the second tab.")
    assert one.newest.text_content() == other.newest.text_content()
    one.leave()


def test_a_killed_server_is_waited_for(browser: Any, told: ServedPages) -> None:
    player = begin_waiting(browser, told, PHONE)
    page = player.page
    lost = page.locator("#message", has_text="Connection lost")
    # In mid-turn: what was said is not lost, and not taken twice.
    player.send(Say(f"{SLOWLY}until it breaks."))
    page.locator("#live .narration p").first.wait_for()
    told.kill()
    lost.wait_for()
    told.start()
    unfinished = page.locator(".decision", has_text="was not finished")
    unfinished.wait_for()
    assert "until it breaks" in unfinished.inner_text()
    unfinished.locator("button").click()
    player.wait_for_turn(3)
    assert "fourth wave" in player.newest.text_content()
    assert page.locator("#turns .said", has_text="until it breaks").count() == 1
    # Between turns: what is said meanwhile arrives when the server is back.
    told.kill()
    lost.wait_for()
    player.send(Say(f"{WAIT}while nobody listens."))
    told.start()
    player.wait_for_turn(4)
    assert player.newest.locator(".said").text_content().endswith("while nobody listens.")
    page.locator("#message").wait_for(state="hidden")
    player.leave()


def test_forms_play_without_scripts(browser: Any, scenes: ServedPages) -> None:
    context = browser.new_context(viewport=DESK, locale="zh-CN", java_script_enabled=False)
    page = context.new_page()
    page.goto(scenes.make_link())
    page.goto(f"{scenes.home}games")
    page.locator("li.game:has(input[value=lantern_road]) button").click()
    while not page.locator("#turns .turn").count():
        page.reload()
    page.locator(".choices button").first.click()
    page.locator("#turns .turn[data-version='2']").wait_for()
    context.close()
