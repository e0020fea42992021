"""Two tabs of one campaign that act at the same moment: only the one that was too late is told."""

from typing import Any

from tests.faces.web.chromium import DESK, ServedPages, needs_chromium
from tests.faces.web.in_chromium.table_player import NEWEST_IS, TIMEOUT_MS, TablePlayer

pytestmark = needs_chromium

CLICK = "() => document.querySelector('.choices button').click()"
LISTEN = """() => {
    const box = document.getElementById("message");
    window.told = [];
    const note = () => box.textContent && told.push(box.textContent);
    new MutationObserver(note).observe(box, { childList: true });
}"""
"""Notes every message that is shown, however briefly."""


def test_the_tab_that_was_first_shows_no_warning(browser: Any, scenes: ServedPages) -> None:
    first = TablePlayer.sit_down(browser, scenes, DESK)
    first.begin("mist_harbor")
    page = first.page
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("html[data-live]").wait_for()
    # Both are sent before either page hears of the other.
    answers = []
    for tab in (page, other):
        tab.evaluate(LISTEN)
    for tab in (page, other):
        tab.on("response", lambda answer: answers.append(answer.status) if "/turns" in answer.url else None)
        tab.evaluate(CLICK)
    for tab in (page, other):
        tab.wait_for_function(NEWEST_IS, arg="2", timeout=TIMEOUT_MS)
        tab.wait_for_function("() => document.getElementById('waiting').hidden", timeout=TIMEOUT_MS)
    # When another turn is there, both have heard of everything before it.
    late = other if other.evaluate("() => told.length") else page
    late.evaluate(CLICK)
    for tab in (page, other):
        tab.wait_for_function(NEWEST_IS, arg="3", timeout=TIMEOUT_MS)
    told = [tab.evaluate("() => told") for tab in (page, other)]
    assert sorted(answers) == [200, 200, 409]
    assert sorted(map(bool, told)) == [False, True], told
    first.leave()
